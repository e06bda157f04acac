package patch

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializerjson "k8s.io/apimachinery/pkg/runtime/serializer/json"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/testutil/testtable"
)

// upstreamCase is an object and two patches, one on the result of the other.
type upstreamCase struct {
	row
	kind          byte // of fuzzedKinds
	object        string
	first, second string
}

// fuzzedKinds are types whose fields keep JSON as bytes, others with types that
// encode themselves, and a custom resource, which comes first.
var fuzzedKinds = []schema.GroupVersionKind{
	{Group: "acme.example.com", Version: "v1", Kind: "Widget"},
	corev1.SchemeGroupVersion.WithKind("Pod"),
	corev1.SchemeGroupVersion.WithKind("Secret"),
	appsv1.SchemeGroupVersion.WithKind("ControllerRevision"),
	resourcev1.SchemeGroupVersion.WithKind("ResourceClaim"),
	apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition"),
}

const (
	custom byte = iota
	pods
	secrets
	revisions
	claims
	definitions
)

func upstreamCases() []upstreamCase {
	const none = `[{"op":"add","path":"/metadata/name","value":"n"}]`
	add := func(path, value string) string { return `[{"op":"add","path":"` + path + `","value":` + value + `}]` }
	return []upstreamCase{
		{row{"blanks", "D1: bytes are stored compact"}, revisions, `{"data":{"a":1}}`, `[{"op":"replace","path":"/data","value":{ "a" : 1 }}]`, none},
		{row{"HTML", "D1: it is escaped"}, revisions, `{"data":{"a":1}}`, add("/data", `{"a":"<\u2028é"}`), add("/data/b", `"&"`)},
		{row{"order", "D1: names are sorted on the way"}, revisions, `{"data":{"b":1,"a":2}}`, add("/data/c", "3"), `[{"op":"remove","path":"/data/b"}]`},
		{row{"twice", "D1: the last of two members counts"}, revisions, `{"data":{"a":1,"a":2}}`, `[{"op":"replace","path":"/data/a","value":3}]`, none},
		{row{"managed fields", "D1: FieldsV1 is kept as bytes"}, pods, `{"metadata":{"managedFields":[{"fieldsV1":{"f:b":{},"f:a":{}}}]}}`,
			add("/metadata/managedFields/0/fieldsV1/f:c", "{ }"), add("/metadata/labels", `{"a":"b"}`)},
		{row{"opaque parameters", "D1: in the middle of an object"}, claims, `{"spec":{"devices":{"config":[{"opaque":{"driver":"d","parameters":{"b":[1, 2],"a":null}}}]}}}`,
			add("/spec/devices/config/0/opaque/parameters/c", `{"x" : "<"}`), add("/spec/devices/config/-", `{"opaque":{"driver":"e","parameters": [ ]}}`)},
		{row{"schemas", "D1: JSON in a CustomResourceDefinition"}, definitions,
			`{"spec":{"versions":[{"name":"v1","schema":{"openAPIV3Schema":{"type":"object","properties":{"a":{"default":{ "x":1},"items":[{"type":"string"}],"additionalProperties":false}}}}}]}}`,
			add("/spec/versions/0/schema/openAPIV3Schema/properties/a/default/y", `"<"`), add("/spec/versions/0/schema/openAPIV3Schema/properties/a/additionalProperties", `{"type":"string"}`)},
		{row{"slash", "D2: the empty name is no field"}, pods, `{"metadata":{"name":"p"}}`, none, add("/", `{"kind":"Pod","apiVersion":"v1"}`)},
		{row{"Kelvin sign", "D3: it is a k to encoding/json"}, pods, `{}`, add("/\u212aind", `"Service"`), none},
		{row{"long s", "D3: it is an s to encoding/json"}, custom, `{"spec":{}}`, add("/apiVer\u017fion", `"a/b/c"`), none},
		{row{"numbers", "D5: a float that is whole becomes an int64"}, custom, `{"spec":{"n":1.0,"m":1e2,"o":12345678901234567890}}`, add("/status", "1"), none},
		{row{"times", "D6: fractions of a second are dropped"}, pods, `{"metadata":{"creationTimestamp":"2026-01-02T03:04:05.678Z"}}`, add("/spec", `{"containers":[{"name":"c"}]}`), none},
		{row{"self-made types", "quantities, ports, bytes"}, pods, `{"spec":{"containers":[{"name":"c","ports":[],"resources":{"limits":{"cpu":"1500m"}},"livenessProbe":{"httpGet":{"port":8080}}}]}}`,
			add("/spec/containers/0/resources/limits/memory", `1e9`), add("/spec/containers/0/livenessProbe/httpGet/port", `"http"`)},
		{row{"bytes", "base64"}, secrets, `{"data":{"a":"YQ=="}}`, add("/data/b", `"Yg=="`), add("/data/c", `null`)},
		{row{"copy and move", "left to json-patch"}, custom, `{"spec":{"a":{"b":[{},1,null]}}}`, `[{"op":"copy","from":"/spec/a","path":"/spec/c"},{"op":"move","from":"/spec/a/b","path":"/d"}]`, `[{"op":"test","path":"/d/1","value":1},{"op":"add","path":"/d/-","value":1}]`},
		{row{"another kind", "it is decoded as that"}, pods, `{}`, `[{"op":"replace","path":"/kind","value":"Service"}]`, add("/spec", `{"ports":[]}`)},
		{row{"no kind", "an error for a custom resource"}, custom, `{}`, `[{"op":"remove","path":"/kind"}]`, none},
		{row{"wrong type", "an error"}, pods, `{}`, add("/spec", `"text"`), none},
	}
}

// FuzzLikeUpstream compares each patch with what kube-apiserver does: encode,
// apply, decode, encode. The JSON, the Go objects and the errors have to be the
// same.
func FuzzLikeUpstream(f *testing.F) {
	for _, tc := range upstreamCases() {
		f.Add(tc.kind, []byte(tc.object), []byte(tc.first), []byte(tc.second))
	}
	interfaces := fuzzedInterfaces(f)
	f.Fuzz(func(t *testing.T, kind byte, object, first, second []byte) {
		likeUpstream(t, interfaces, kind, object, first, second)
	})
}

func TestLikeUpstream(t *testing.T) {
	t.Parallel()
	interfaces := fuzzedInterfaces(t)
	testtable.Run(t, upstreamCases(), func(t *testing.T, tc upstreamCase) {
		if !likeUpstream(t, interfaces, tc.kind, []byte(tc.object), []byte(tc.first), []byte(tc.second)) {
			t.Error("nothing was compared")
		}
	})
}

// likeUpstream reports whether the object and the patches can be read.
func likeUpstream(t *testing.T, o apiadmission.ObjectInterfaces, kindNumber byte, content []byte, patches ...[]byte) bool {
	t.Helper()
	kind := fuzzedKinds[int(kindNumber)%len(fuzzedKinds)]
	object, ok := fuzzedObject(o, kind, content)
	for _, patch := range patches {
		operations, err := Decode(patch, defaults(t))
		if !ok || err != nil || len(operations) == 0 {
			return false
		}
		before, err := json.Marshal(object)
		if err != nil {
			return false
		}
		wantText, want, wantErr, panicked := patchUpstream(object, operations, kind, o)
		if panicked {
			return true // FuzzGuard is about that
		}
		gotText, got, gotErr := patchHere(t, before, isCustom(object), operations, kind, o)
		if errors.As(gotErr, new(*limits.Error)) {
			return true
		}
		if !bytes.Equal(wantText, gotText) || !reflect.DeepEqual(want, got) {
			t.Fatalf("%s on %s: got %T\n%s\n%v, want %T\n%s\n%v", patch, before, got, gotText, got, want, wantText, want)
		}
		compareErrors(t, wantErr, gotErr)
		if wantErr != nil {
			return true
		}
		object = got
	}
	return true
}

func isCustom(object runtime.Object) bool {
	_, ok := object.(*unstructured.Unstructured)
	return ok
}

// fuzzedInterfaces are those of a host that knows all types of fuzzedKinds, and
// unstructured objects of the first.
func fuzzedInterfaces(t testing.TB) apiadmission.ObjectInterfaces {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, appsv1.AddToScheme, resourcev1.AddToScheme, apiextensionsv1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	return apiadmission.NewObjectInterfacesFromScheme(scheme)
}

// fuzzedObject returns an object of a kind that has some content, and false if
// the content does not fit.
func fuzzedObject(o apiadmission.ObjectInterfaces, kind schema.GroupVersionKind, content []byte) (runtime.Object, bool) {
	if kind == fuzzedKinds[custom] {
		object := &unstructured.Unstructured{}
		if utiljson.Unmarshal(content, &object.Object) != nil || object.Object == nil {
			return nil, false
		}
		object.SetGroupVersionKind(kind)
		return object, true
	}
	object, err := o.GetObjectCreater().New(kind)
	if err != nil || utiljson.Unmarshal(content, object) != nil {
		return nil, false
	}
	object.GetObjectKind().SetGroupVersionKind(kind)
	return object, true
}

// patchUpstream does what kube-apiserver's dispatcher does, with the same
// libraries.
func patchUpstream(object runtime.Object, operations Operations, kind schema.GroupVersionKind, o apiadmission.ObjectInterfaces) (text []byte, patched runtime.Object, err error, panicked bool) {
	defer func() {
		if recover() != nil {
			panicked = true
		}
	}()
	serializer := serializerjson.NewSerializerWithOptions(serializerjson.DefaultMetaFactory, o.GetObjectCreater(), o.GetObjectTyper(), serializerjson.SerializerOptions{})
	document, err := runtime.Encode(serializer, object)
	if err != nil {
		return nil, nil, err, false
	}
	if text, err = operations.Apply(document); err != nil {
		return nil, nil, err, false
	}
	into, err := runtime.Object(&unstructured.Unstructured{}), error(nil)
	if !isCustom(object) {
		if into, err = o.GetObjectCreater().New(kind); err != nil {
			return text, nil, err, false
		}
	}
	patched, _, err = serializer.Decode(text, nil, into)
	if err != nil {
		return text, nil, err, false
	}
	return text, patched, nil, false
}

func patchHere(t *testing.T, document []byte, custom bool, operations Operations, kind schema.GroupVersionKind, o apiadmission.ObjectInterfaces) (text []byte, patched runtime.Object, err error) {
	t.Helper()
	text, ok := Splice(operations, document, defaults(t))
	if !ok {
		if text, err = Apply(operations, document, defaults(t)); err != nil {
			return nil, nil, err
		}
	}
	patched, err = Object(text, custom, kind, o)
	return text, patched, err
}

// compareErrors requires equal errors, apart from quotations of the object. The
// member that a failed test operation names depends on the order of a map.
func compareErrors(t *testing.T, want, got error) {
	t.Helper()
	if (want == nil) != (got == nil) {
		t.Fatalf("error %v, want %v", got, want)
	}
	if want == nil || want.Error() == got.Error() || redactError(want).Error() == got.Error() || strings.Contains(want.Error(), "test failed") {
		return
	}
	t.Errorf("error %q, want %q", got, want)
}
