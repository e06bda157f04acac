package patch

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/internal/testutil/testtable"
)

// objectCase is a patched document and the object that it decodes to.
type objectCase struct {
	row
	patched string
	custom  bool
	kind    schema.GroupVersionKind
	want    runtime.Object
	err     string
}

func runObjects(t *testing.T, cases []objectCase) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	interfaces := apiadmission.NewObjectInterfacesFromScheme(scheme)
	testtable.Run(t, cases, func(t *testing.T, tc objectCase) {
		got, err := Object([]byte(tc.patched), tc.custom, tc.kind, interfaces)
		if testtable.Text(err) != tc.err {
			t.Fatalf("error %q, want %q", testtable.Text(err), tc.err)
		}
		if tc.err != "" {
			return
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("object (-want +got):\n%s", diff)
		}
	})
}

var podKind = corev1.SchemeGroupVersion.WithKind("Pod")

func named(name string) *corev1.Pod {
	return &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: metav1.ObjectMeta{Name: name}}
}

func TestTypedObject(t *testing.T) {
	t.Parallel()
	bare := named("n")
	bare.TypeMeta = metav1.TypeMeta{}
	service := &corev1.Service{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Service"}, ObjectMeta: metav1.ObjectMeta{Name: "n"}}
	typed := func(r row, patched string, want runtime.Object, err string) objectCase {
		return objectCase{row: r, patched: patched, kind: podKind, want: want, err: err}
	}
	runObjects(t, []objectCase{
		typed(row{"pod", "S-177: a new object, in which nothing of the old one is left"}, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"n"}}`, named("n"), ""),
		typed(row{"unknown fields", "S-178: they vanish"}, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"n"},"spec":{"bogus":{"a":1}},"bogus":[]}`, named("n"), ""),
		typed(row{"fields in other letters", "S-178: they are unknown"}, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"n","Labels":{"a":"b"}}}`, named("n"), ""),
		typed(row{"no kind", "G35: the default is the kind of the request"}, `{"metadata":{"name":"n"}}`, bare, ""),
		typed(row{"empty object", "G38: everything can be wiped"}, `{}`, &corev1.Pod{}, ""),
		typed(row{"another kind", "S-172: decoded as the kind it names; a later step rejects it"}, `{"apiVersion":"v1","kind":"Service","metadata":{"name":"n"}}`, service, ""),
		typed(row{"unknown group", "G33: the group is not in the scheme"}, `{"apiVersion":"acme.example.com/v1","kind":"Pod"}`, nil,
			`no kind "Pod" is registered for version "acme.example.com/v1" in scheme "pkg/runtime/scheme.go:111"`),
		typed(row{"text for a map", "S-177"}, `{"apiVersion":"v1","kind":"Pod","metadata":{"labels":"x"}}`, nil,
			"json: cannot unmarshal string into Go struct field ObjectMeta.metadata.labels of type map[string]string"),
		typed(row{"number for a text", "G32"}, `{"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"a":5}}}`, nil,
			"json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string"),
		typed(row{"text for an object", "G31"}, `{"apiVersion":"v1","kind":"Pod","spec":"x"}`, nil,
			"json: cannot unmarshal string into Go struct field Pod.spec of type v1.PodSpec"),
		typed(row{"number that is too large", "no content: kube-apiserver's text has the number"}, `{"spec":{"priority":99999999999}}`, nil,
			"json: cannot unmarshal number into Go struct field PodSpec.spec.priority of type int32"),
		typed(row{"text that is no time", "no content: kube-apiserver's text has the text"}, `{"metadata":{"creationTimestamp":"secret"}}`, nil,
			`parsing time as "2006-01-02T15:04:05Z07:00": not in that form`),
		typed(row{"list", "G39: a list is no object"}, `[]`, nil,
			`couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`),
		{row: row{"kind that cannot be made", "S-177: the kind of the request has to be known"}, patched: `{}`, kind: schema.GroupVersionKind{Group: "acme.example.com", Version: "v1", Kind: "Pod"},
			err: `no kind "Pod" is registered for version "acme.example.com/v1" in scheme "pkg/runtime/scheme.go:111"`},
	})
}

func TestUnstructuredObject(t *testing.T) {
	t.Parallel()
	kind := schema.GroupVersionKind{Group: "acme.example.com", Version: "v1", Kind: "Widget"}
	custom := func(r row, patched string, want map[string]any, err string) objectCase {
		return objectCase{row: r, patched: patched, custom: true, kind: kind, want: &unstructured.Unstructured{Object: want}, err: err}
	}
	runObjects(t, []objectCase{
		custom(row{"widget", "S-177: unstructured if the object that was patched is"}, `{"apiVersion":"acme.example.com/v1","kind":"Widget","spec":{"a":[1,1.5,"x",null,true]}}`,
			map[string]any{"apiVersion": "acme.example.com/v1", "kind": "Widget", "spec": map[string]any{"a": []any{int64(1), 1.5, "x", nil, true}}}, ""),
		custom(row{"large number", "numbers beyond 64 bits lose their last digits"}, `{"apiVersion":"v1","kind":"Widget","n":12345678901234567890123}`,
			map[string]any{"apiVersion": "v1", "kind": "Widget", "n": 12345678901234567890123.0}, ""),
		custom(row{"another kind", "S-172: decoded as the kind it names"}, `{"apiVersion":"v1","kind":"Pod"}`, map[string]any{"apiVersion": "v1", "kind": "Pod"}, ""),
		custom(row{"no version", "a version is not needed to tell what it is"}, `{"kind":"Widget"}`, map[string]any{"kind": "Widget"}, ""),
		custom(row{"no kind", "G44: a kind is; kube-apiserver's text has the whole object"}, `{"apiVersion":"acme.example.com/v1","spec":{"secret":1}}`, nil,
			"Object 'Kind' is missing in 'the patched object'"),
		custom(row{"empty kind", "G44: none, too"}, `{"apiVersion":"acme.example.com/v1","kind":""}`, nil, "Object 'Kind' is missing in 'the patched object'"),
		custom(row{"list", "G39: a list is no object"}, `[]`, nil,
			`couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`),
	})
}

// TestKindOf: kindOf returns what json.DefaultMetaFactory does, or leaves it to
// that.
func TestKindOf(t *testing.T) {
	t.Parallel()
	type kindCase struct {
		row
		document string
		known    bool
	}
	testtable.Run(t, []kindCase{
		{row{"plain", "what json-patch writes"}, `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"kind":1}}`, true},
		{row{"in front", "the core group; order does not matter"}, `{"kind":"Pod","apiVersion":"v1"}`, true},
		{row{"empty", "a kind may be empty"}, `{"kind":"","apiVersion":"","spec":[]}`, true},
		{row{"no kind", "the serializer knows what follows"}, `{"apiVersion":"v1"}`, false},
		{row{"no version", "the same"}, `{"kind":"Pod"}`, false},
		{row{"no members", "the same"}, `{}`, false},
		{row{"kind twice", "the last one counts"}, `{"apiVersion":"v1","kind":"Pod","kind":"Service"}`, false},
		{row{"capitals", "encoding/json ignores case, and the last one counts"}, `{"apiVersion":"v1","kind":"Pod","KIND":"Service"}`, false},
		{row{"only in capitals", "the same"}, `{"APIVERSION":"v1","kind":"Pod"}`, false},
		{row{"Kelvin sign", "D3: encoding/json takes it for a k"}, "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"\u212aind\":\"Service\"}", false},
		{row{"long s", "D3: encoding/json takes it for an s"}, "{\"apiVersion\":\"v1\",\"apiVer\u017fion\":\"v2\",\"kind\":\"Pod\"}", false},
		{row{"escaped name", "it may be kind"}, `{"apiVersion":"v1","kind":"Pod","\u006bind":"Service"}`, false},
		{row{"escaped value", "its text is not its value"}, `{"apiVersion":"v1","kind":"\u0050od"}`, false},
		{row{"null", "it leaves the kind empty"}, `{"apiVersion":"v1","kind":null}`, false},
		{row{"number", "an error"}, `{"apiVersion":"v1","kind":7}`, false},
		{row{"no version at all", "an error"}, `{"apiVersion":"a/b/c","kind":"Pod"}`, false},
		{row{"list", "an error"}, `[]`, false},
		{row{"wide", "it is not deep"}, `{"apiVersion":"v1","kind":"Pod","x":[{}` + strings.Repeat(",{}", 10_000) + `]}`, true},
		{row{"too deep", "an error"}, `{"apiVersion":"v1","kind":"Pod","x":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`, false},
	}, func(t *testing.T, tc kindCase) {
		got, known := kindOf([]byte(tc.document))
		if known != tc.known {
			t.Fatalf("known: %v, want %v", known, tc.known)
		}
		checkKind(t, []byte(tc.document))
		if want, err := json.DefaultMetaFactory.Interpret([]byte(tc.document)); known && (err != nil || *want != got) {
			t.Errorf("got %v, want %v, %v", got, want, err)
		}
	})
}

// checkKind fails the test unless both factories give the same.
func checkKind(t *testing.T, document []byte) {
	t.Helper()
	want, wantErr := json.DefaultMetaFactory.Interpret(document)
	got, gotErr := metaFactory{}.Interpret(document)
	if !reflect.DeepEqual(want, got) || testtable.Text(wantErr) != testtable.Text(gotErr) {
		t.Errorf("%.200s: got %v, %v, want %v, %v", document, got, gotErr, want, wantErr)
	}
}
