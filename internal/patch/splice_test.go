package patch

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/dispatcher/limits"
	"example.com/gatehouse/internal/testtable"
)

type spliceCase struct {
	row
	document, patch string
	want            string // "" is left to the library
}

func TestSplice(t *testing.T) {
	t.Parallel()
	const pod = `{"kind":"Pod","metadata":{"labels":{"a":"1"},"name":"\\\"}"},"spec":{"containers":[{"name":"c","args":[]},{"name":"d"}],"n":12}}`
	testtable.Run(t, []spliceCase{
		{row{"a label", "what most webhooks do"}, pod, `[{"op":"add","path":"/metadata/labels/b","value":"2"}]`,
			`{"kind":"Pod","metadata":{"labels":{"a":"1","b":"2"},"name":"\\\"}"},"spec":{"containers":[{"name":"c","args":[]},{"name":"d"}],"n":12}}`},
		{row{"a label that is there", "add replaces"}, pod, `[{"op":"add","path":"/metadata/labels/a","value":{"b":[1, 2]}}]`,
			`{"kind":"Pod","metadata":{"labels":{"a":{"b":[1, 2]}},"name":"\\\"}"},"spec":{"containers":[{"name":"c","args":[]},{"name":"d"}],"n":12}}`},
		{row{"a number", "it has no quotes"}, pod, `[{"op":"replace","path":"/spec/n","value":1e3}]`,
			`{"kind":"Pod","metadata":{"labels":{"a":"1"},"name":"\\\"}"},"spec":{"containers":[{"name":"c","args":[]},{"name":"d"}],"n":1e3}}`},
		{row{"replace what is not there", "the library adds it"}, `{}`, `[{"op":"replace","path":"/a","value":1}]`, `{"a":1}`},
		{row{"a sidecar", "at the end of a list"}, pod, `[{"op":"add","path":"/spec/containers/-","value":{"name":"e"}}]`,
			`{"kind":"Pod","metadata":{"labels":{"a":"1"},"name":"\\\"}"},"spec":{"containers":[{"name":"c","args":[]},{"name":"d"},{"name":"e"}],"n":12}}`},
		{row{"in an element", "an index on the way, an empty list at its end"}, pod, `[{"op":"add","path":"/spec/containers/0/args/-","value":"x"}]`,
			`{"kind":"Pod","metadata":{"labels":{"a":"1"},"name":"\\\"}"},"spec":{"containers":[{"name":"c","args":["x"]},{"name":"d"}],"n":12}}`},
		{row{"escapes", "of pointers and of keys"}, `{"a":{}}`, `[{"op":"add","path":"/a/b~1<~0","value":1}]`, `{"a":{"b/\u003c~":1}}`},
		{row{"two", "one after the other"}, `{"a":{},"b":[]}`, `[{"op":"add","path":"/a/c","value":1},{"op":"add","path":"/b/-","value":2}]`, `{"a":{"c":1},"b":[2]}`},
		{row{"the same place twice", "what was put there may have any form"}, `{}`, `[{"op":"add","path":"/a","value":{"b":1,"b":2}},{"op":"add","path":"/a/b","value":3}]`, ""},
		{row{"what was appended", "it may have any form, too"}, `{"a":[]}`, `[{"op":"add","path":"/a/-","value":{"b" : {}}},{"op":"add","path":"/a/0/b","value":3}]`, ""},
		{row{"no parent", "an error, in the library's words"}, `{}`, `[{"op":"add","path":"/a/b","value":3}]`, ""},
		{row{"below a text", "the same"}, `{"a":"x"}`, `[{"op":"add","path":"/a/b","value":3}]`, ""},
		{row{"an index at the end", "the others have to move"}, `{"a":[1]}`, `[{"op":"add","path":"/a/0","value":3}]`, ""},
		{row{"an index that is not there", "an error"}, `{"a":[1]}`, `[{"op":"add","path":"/a/1/b","value":3}]`, ""},
		{row{"an index in another form", "the library has its own ideas"}, `{"a":[{}]}`, `[{"op":"add","path":"/a/00/b","value":3}]`, ""},
		{row{"null", "the library tells it from absence"}, `{}`, `[{"op":"add","path":"/a","value":null}]`, ""},
		{row{"no value", "the same"}, `{}`, `[{"op":"add","path":"/a"}]`, ""},
		{row{"the root", "another document"}, `{}`, `[{"op":"add","path":"","value":{}}]`, ""},
		{row{"no slash", "the library finds a place all the same"}, `{}`, `[{"op":"add","path":"a/b","value":{}}]`, ""},
		{row{"remove", "not what is spliced"}, `{"a":1}`, `[{"op":"remove","path":"/a"}]`, ""},
	}, func(t *testing.T, tc spliceCase) {
		operations, err := Decode([]byte(tc.patch), defaults(t))
		if err != nil {
			t.Fatal(err)
		}
		got, ok := Splice(operations, []byte(tc.document), defaults(t))
		if string(got) != tc.want && ok || ok != (tc.want != "") {
			t.Errorf("want %s, got %s, %v", tc.want, got, ok)
		}
		if ok {
			sameAsLibrary(t, operations, []byte(tc.document), got)
		}
	})
}

// sameAsLibrary fails the test unless the library gives the same values.
func sameAsLibrary(t *testing.T, operations Operations, document, got []byte) {
	t.Helper()
	want, err := operations.Apply(document)
	if err != nil {
		t.Fatalf("%s on %s: the library says %v, spliced %s", asJSON(t, operations), document, err, got)
	}
	if diff := cmp.Diff(valueOf(t, want), valueOf(t, got)); diff != "" {
		t.Fatalf("%s on %s (-library +spliced):\n%s", asJSON(t, operations), document, diff)
	}
}

func valueOf(t *testing.T, text []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// checkSplice reports whether a patch was spliced.
func checkSplice(t *testing.T, script []byte) bool {
	t.Helper()
	document, operations := made(script)
	got, ok := Splice(operations, []byte(document), defaults(t))
	if ok {
		sameAsLibrary(t, operations, []byte(document), got)
	}
	return ok
}

func TestRandomSplices(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(1))
	spliced := 0
	for range 60_000 {
		script := make([]byte, 1+4*(1+random.Intn(3)))
		random.Read(script)
		for i := 1; i < len(script); i += 4 {
			script[i] = byte(random.Intn(2) * 2) // add or replace
		}
		if checkSplice(t, script) {
			spliced++
		}
	}
	if spliced < 1_000 {
		t.Errorf("only %d patches were spliced", spliced)
	}
}

func FuzzSplice(f *testing.F) {
	f.Add([]byte{3, 0, 2, 0, 1})
	f.Fuzz(func(t *testing.T, script []byte) { checkSplice(t, script) })
}

// TestSpliceLimits: near a limit, the library decides.
func TestSpliceLimits(t *testing.T) {
	t.Parallel()
	type limitCase struct {
		row
		limits limits.Limits
		want   bool
	}
	operations, err := Decode([]byte(`[{"op":"add","path":"/a","value":"0123456789"},{"op":"add","path":"/b","value":1}]`), defaults(t))
	if err != nil {
		t.Fatal(err)
	}
	testtable.Run(t, []limitCase{
		{row{"far", "the defaults are"}, limits.Limits{}, true},
		{row{"operations", "one too many"}, limits.Limits{PatchOperations: 1}, false},
		{row{"size", "of which the library has its own idea"}, limits.Limits{PatchedObject: 100}, false},
	}, func(t *testing.T, tc limitCase) {
		if _, got := Splice(operations, []byte(`{}`), limited(t, tc.limits)); got != tc.want {
			t.Errorf("spliced: %v, want %v", got, tc.want)
		}
	})
}

// TestKindsThatAreKept: an object of which the kind is known is decoded as if it
// were not.
func TestKindsThatAreKept(t *testing.T) {
	t.Parallel()
	elsewhere, err := Decode([]byte(`[{"op":"add","path":"/metadata/kind","value":1}]`), defaults(t))
	if err != nil {
		t.Fatal(err)
	}
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	interfaces := apiadmission.NewObjectInterfacesFromScheme(scheme)
	custom := &unstructured.Unstructured{}
	custom.SetGroupVersionKind(podKind)
	for _, like := range []runtime.Object{named("n"), custom} {
		for _, patched := range []string{
			`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"n","labels":{"a":"b"}},"spec":{"containers":null,"unknown":[1]}}`,
			`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"n","labels":{"a":5}},"Spec":{}}`,
			`{"kind":"Pod","apiVersion":"v1","spec":{"priority":1e400}}`,
			`{"kind":"Pod","apiVersion":"v1","metadata":{"creationTimestamp":"tomorrow"}}`,
		} {
			asked, askedErr := Object([]byte(patched), anywhere, like, podKind, interfaces)
			known, knownErr := Object([]byte(patched), elsewhere, like, podKind, interfaces)
			if diff := cmp.Diff(asked, known); diff != "" || testtable.Text(askedErr) != testtable.Text(knownErr) {
				t.Errorf("%T from %s (-asked +known):\n%s%v\n%v", like, patched, diff, askedErr, knownErr)
			}
		}
	}
}
