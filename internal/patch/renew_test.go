package patch

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/internal/testtable"
)

// TestRenewIsObject applies random patches, one to the result of the other, and
// compares what Renew makes of them with what Object does: the object, its JSON, and
// that nothing has happened to the object before.
func TestRenewIsObject(t *testing.T) {
	t.Parallel()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, appsv1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	interfaces := apiadmission.NewObjectInterfacesFromScheme(scheme)
	const pod = `"metadata":{"name":"p","labels":{"a":"b"},"creationTimestamp":"2026-01-02T03:04:05Z"},"spec":{"containers":[{"name":"c","resources":{"limits":{"cpu":"1500m"}}}],"priority":7},"status":{"phase":"Running"}`
	documents := map[string]runtime.Object{
		`{"apiVersion":"v1","kind":"Pod",` + pod + `}`: &corev1.Pod{},
		`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d","labels":{}},"spec":{"replicas":2,"selector":null,"template":{` + pod + `}}}`: &appsv1.Deployment{},
		`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},"data":{"a":"b"},"immutable":true}`:                                                &corev1.ConfigMap{},
		`{"apiVersion":"a.b/v1","kind":"C",` + pod + `,"n":12345678901234567,"f":1.0}`:                                                                    &unstructured.Unstructured{},
	}
	random, renewed := rand.New(rand.NewSource(1)), 0
	for document, object := range documents {
		for range 2 { // the second time it is what was encoded
			if err := decode([]byte(document), object); err != nil {
				t.Fatal(err)
			}
			document = string(encoded(t, object))
		}
		var foreign []string
		for range 2000 {
			operations := randomPatch(t, random)
			touched, same := Touched(operations)
			if !same {
				continue
			}
			if next, ok := renewAndCompare(t, operations, append(foreign, touched...), object, interfaces); ok {
				object, foreign = next, touched
				renewed++
			}
		}
	}
	if renewed < 1000 {
		t.Errorf("only %d objects were renewed: this compares little", renewed)
	}
}

func randomPatch(t *testing.T, random *rand.Rand) Operations {
	t.Helper()
	paths := []string{"/metadata/labels/a", "/metadata/labels/x~1y", "/metadata/annotations", "/metadata/name", "/metadata", "/metadata/finalizers",
		"/metadata/finalizers/-", "/spec/containers/-", "/spec/containers/0/name", "/spec/replicas", "/spec/template/metadata/labels/n", "/spec/priority",
		"/status", "/status/phase", "/status/startTime", "/f", "/data/c", "/immutable", "/unknown", "/n", "/Metadata", "/apiVersion"}
	values := []string{`"v"`, `{"a":"b"}`, `{"name":"n","unknown":1}`, `{}`, `[]`, `["f"]`, `7`, `1.5`, `2.0`, `"2026-01-02T03:04:05.5Z"`, `true`, `{"name": "s", "labels": {"k" : "v"}}`}
	var operations []string
	for range 1 + random.Intn(2) {
		operations = append(operations, fmt.Sprintf(`{"op":%q,"path":%q,"value":%s}`, []string{"add", "replace"}[random.Intn(2)],
			paths[random.Intn(len(paths))], values[random.Intn(len(values))]))
	}
	text := "[" + operations[0]
	for _, o := range operations[1:] {
		text += "," + o
	}
	decoded, err := Decode([]byte(text+"]"), defaults(t))
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

// renewAndCompare reports whether the patch could be spliced and the object renewed.
func renewAndCompare(t *testing.T, operations Operations, fields []string, object runtime.Object, o apiadmission.ObjectInterfaces) (runtime.Object, bool) {
	t.Helper()
	document := encoded(t, object)
	spliced, ok := Splice(operations, document, defaults(t))
	if !ok {
		return nil, false
	}
	before := object.DeepCopyObject()
	got, ok := Renew(spliced, fields, object)
	if diff := cmp.Diff(before, object); diff != "" {
		t.Fatalf("%s: the object before has changed (-want +got):\n%s", encoded(t, operations), diff)
	}
	if !ok {
		return nil, false
	}
	want, err := Object(spliced, operations, object, object.GetObjectKind().GroupVersionKind(), o)
	if err != nil {
		t.Fatalf("%s of %s was renewed, but %v", encoded(t, operations), document, err)
	}
	if !apiequality.Semantic.DeepEqual(want, got) {
		t.Fatalf("%s of %s (-want +got):\n%s", encoded(t, operations), document, cmp.Diff(want, got))
	}
	if diff := cmp.Diff(string(encoded(t, want)), string(encoded(t, got))); diff != "" {
		t.Fatalf("%s of %s, as JSON (-want +got):\n%s", encoded(t, operations), document, diff)
	}
	return got, true
}

func encoded(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// selfMade decodes itself.
type selfMade struct{ corev1.Pod }

func (*selfMade) UnmarshalJSON([]byte) error { return nil }

// inQuotes has a number in quotes.
type inQuotes struct {
	corev1.Pod
	N int `json:"n,string"`
}

// TestRenewGivesUp: what is not known to be the same is left to Object.
func TestRenewGivesUp(t *testing.T) {
	t.Parallel()
	type renewCase struct {
		row
		object   runtime.Object
		document string
		path     string
		want     bool
	}
	testtable.Run(t, []renewCase{
		{row{"metadata", "what most webhooks change"}, &corev1.Pod{}, `{"metadata":{"name":"n"}}`, "/metadata/name", true},
		{row{"kind", "the object may become another one"}, &corev1.Pod{}, `{"kind":"K"}`, "/kind", false},
		{row{"unknown field", "decoding drops it"}, &corev1.Pod{}, `{"x":1}`, "/x", false},
		{row{"another case", "it is unknown, too"}, &corev1.Pod{}, `{"Spec":{}}`, "/Spec", false},
		{row{"wrong type", "the error is about the whole document"}, &corev1.Pod{}, `{"spec":1}`, "/spec", false},
		{row{"wrong type in a custom resource", "there is none"}, &unstructured.Unstructured{}, `{"spec":1}`, "/spec", true},
		{row{"type that decodes itself", "nobody knows what it does with a field"}, &selfMade{}, `{"metadata":{}}`, "/metadata", false},
		{row{"number in quotes", "it is decoded in a way of its own"}, &inQuotes{}, `{"n":"1"}`, "/n", false},
	}, func(t *testing.T, tc renewCase) {
		operations, err := Decode(fmt.Appendf(nil, `[{"op":"add","path":%q,"value":1}]`, tc.path), defaults(t))
		if err != nil {
			t.Fatal(err)
		}
		tc.object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "K"})
		touched, got := Touched(operations)
		if got {
			_, got = Renew([]byte(tc.document), touched, tc.object)
		}
		if got != tc.want {
			t.Errorf("renewed is %v, want %v", got, tc.want)
		}
	})
}
