package merge

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// managed is an object whose fields have owners.
const managed = `
apiVersion: v1
kind: ConfigMap
metadata:
  name: c
  namespace: shop
  finalizers: [a.example.com/x]
  managedFields:
  - {manager: boss, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:k": {}}}}
data: {k: v}
`

// FuzzPatch patches objects of several kinds in all ways. None may panic or
// modify the object, and what comes out is the object with another content, or
// an error that does not have the content of a Secret.
func FuzzPatch(f *testing.F) {
	for _, tc := range patchRows() {
		f.Add(map[string]uint8{"json": 0, "merge": 5, "strategic": 10}[tc.of], []byte(tc.patch))
	}
	for _, tc := range leakingPatches() {
		f.Add(uint8(4+5*slices.Index(patchTypes(), tc.of)), []byte(tc.text))
	}
	for _, patch := range []string{
		`[{"op":"add","path":"/spec/x","value":null},{"op":"copy","from":"/spec/x","path":"/spec/y"},{"op":"add","path":"/spec/y/z","value":1}]`,
		`[{"op":"test","path":"","value":null}]`, `[{"op":"replace","path":"","value":null}]`, `[{"path":null}]`, `[null]`, `[{}]`,
		`{"metadata":{"finalizers":[null],"managedFields":[{"fieldsV1":5}]}}`, `{"data":{"$patch":"replace"}}`, `{"$patch":"delete"}`,
		`{"metadata":{"$deleteFromPrimitiveList/finalizers":["a.example.com/x"]}}`, `{"metadata":{"$setElementOrder/finalizers":[1]}}`,
		`{"spec":{"template":{"spec":{"containers":[{"name":"web","$patch":"merge"}],"$setElementOrder/containers":[{"name":1}]}}}}`,
		`{"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}}`, `{"metadata":{"ownerReferences":[{"uid":null}]}}`,
	} {
		for _, which := range []uint8{0, 1, 3, 4, 5, 6, 8, 9, 10, 13, 14} {
			f.Add(which, []byte(patch))
		}
	}
	m := merger(f, true)
	stored := []runtime.Object{object(f, deployment), object(f, widget), object(f, namespace), object(f, managed), object(f, secret)}
	f.Fuzz(func(t *testing.T, which uint8, patch []byte) {
		checkFuzzed(t, m, stored[which%5], patch, patchTypes()[which/5%3])
	})
}

func patchTypes() []types.PatchType {
	return []types.PatchType{types.JSONPatchType, types.MergePatchType, types.StrategicMergePatchType}
}

func checkFuzzed(t *testing.T, m *Merger, old runtime.Object, patch []byte, of types.PatchType) {
	t.Helper()
	before, sent := old.DeepCopyObject(), string(patch)
	patched, err := m.Patch(old, patch, of, Options{Manager: "me"})
	if diff := cmp.Diff(before, old); diff != "" || sent != string(patch) {
		t.Fatalf("an argument was modified:\n%s", diff)
	}
	if (patched == nil) == (err == nil) {
		t.Fatalf("got %v and error %v, want one of the two", patched, err)
	}
	if err != nil {
		if text := err.Error(); strings.Contains(text, hidden[1]) && !strings.Contains(sent, hidden[1]) {
			t.Fatalf("a secret is in the error %s", text)
		}
		return
	}
	stored, err := m.copyOf(old)
	if err != nil {
		t.Fatal(err)
	}
	again, err := m.decode([]byte(asJSON(t, patched)), stored, nil)
	if err != nil {
		t.Fatalf("the result cannot be decoded: %v", err)
	}
	if checkIdentity(again, stored) != nil {
		t.Fatal("the result is another object")
	}
	if _, err := meta.Accessor(again); err != nil {
		t.Fatal(err)
	}
}
