package merge

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"example.com/gatehouse/internal/testutil/testtable"
)

// patchRow is a patch, and the merge patch of what it makes of the object: all
// that changes. Or it is an error.
type patchRow struct {
	row
	of     string
	stored string
	patch  string
	// want is the change, fails the error.
	want, fails string
}

func patchRows() []patchRow {
	return []patchRow{
		{row{"JSON patch", "the plain case"}, "json", deployment, `[{"op":"replace","path":"/spec/replicas","value":3}]`, `{"spec":{"replicas":3}}`, ""},
		{row{"no operations", "it is a patch"}, "json", deployment, `[]`, `{}`, ""},
		{row{"JSON patch of a custom object", "it stays unstructured"}, "json", widget, `[{"op":"add","path":"/spec/tags/-","value":"b"}]`, `{"spec":{"tags":["a","b"]}}`, ""},
		{row{"operation on what is missing", "the text of the library"}, "json", deployment, `[{"op":"remove","path":"/spec/nope"}]`, "",
			"422 error in remove for path: '/spec/nope': Unable to remove nonexistent key: nope: missing value: the server rejected our request due to an error in our request"},
		{row{"failed test", "it is an error of applying"}, "json", deployment, `[{"op":"test","path":"/spec/replicas","value":9}]`, "",
			"422 testing value /spec/replicas failed: test failed: the server rejected our request due to an error in our request"},
		{row{"no JSON", "it is not even decoded"}, "json", deployment, `[`, "", "400 invalid JSON patch"},
		{row{"no list", "a JSON patch is a list"}, "json", deployment, `{"spec":{}}`, "",
			"400 error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp"},
		{row{"operation with more", "nothing is lost silently, and no value is misread"}, "json", deployment, `[{"op":"add","path":"/spec/replicas","value":3,"valeu":4}]`, "",
			`422 strict decoding error: json patch unknown field "[0].valeu"`},
		{row{"unknown field", "a server drops it with a warning"}, "json", deployment, `[{"op":"add","path":"/spec/bogus","value":3}]`, "",
			`422 strict decoding error: unknown field "spec.bogus"`},
		{row{"wrong type", "it cannot be decoded"}, "json", deployment, `[{"op":"add","path":"/spec/replicas","value":"three"}]`, "",
			"422 spec.replicas: expected int32, got string"},
		{row{"other name", "the name is that on the URL"}, "json", deployment, `[{"op":"replace","path":"/metadata/name","value":"x"}]`, "",
			"400 the name of the object does not match the name on the URL (web)"},
		{row{"no name", "there is always one"}, "json", deployment, `[{"op":"remove","path":"/metadata/name"}]`, "",
			"400 the name of the object (web based on URL) was undeterminable: name must be provided"},
		{row{"other namespace", "it is that on the URL"}, "merge", deployment, `{"metadata":{"namespace":"x"}}`, "",
			"400 the namespace of the provided object does not match the namespace sent on the request"},
		{row{"no namespace", "it is filled in"}, "merge", deployment, `{"metadata":{"namespace":null}}`, `{}`, ""},
		{row{"namespace of what has none", "it is removed again"}, "merge", namespace, `{"metadata":{"namespace":"x"}}`, `{}`, ""},
		{row{"other kind", "what it is, is named"}, "merge", deployment, `{"kind":"Pod"}`, "", "422 the patch changes kind, which is Deployment"},
		{row{"no kind", "stricter than a server"}, "merge", deployment, `{"kind":null}`, "", "422 the patch removes kind, which is Deployment"},
		{row{"no version", "stricter than a server"}, "merge", deployment, `{"apiVersion":null}`, "", "422 the patch removes apiVersion, which is apps/v1"},
		{row{"other group", "there is no such kind"}, "merge", deployment, `{"apiVersion":"v1"}`, "", "422 the patch changes apiVersion, which is apps/v1, to a version without the kind Deployment"},
		{row{"other kind of a custom object", "what it is, is named"}, "merge", widget, `{"kind":"Gadget"}`, "", "422 the patch changes kind, which is Widget"},
		{row{"other version of a custom object", "it is converted back"}, "merge", widget, `{"apiVersion":"example.com/v2","spec":{"size":5}}`, `{"spec":{"size":5}}`, ""},
		{row{"merge patch", "null removes"}, "merge", deployment, `{"metadata":{"labels":{"app":null,"a":"b"}}}`, `{"metadata":{"labels":{"app":null,"a":"b"}}}`, ""},
		{row{"merge patch of a list", "it is replaced, and null in it is not"}, "merge", widget, `{"spec":{"tags":["x"],"any":{"k":null}}}`, `{"spec":{"tags":["x"],"any":{}}}`, ""},
		{row{"merge patch that is a list", "it has to be an object"}, "merge", deployment, `[]`, "",
			"400 error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}"},
		{row{"merge patch that is null", "it was forgotten"}, "merge", deployment, ` null `, "", "400 the patch is null, which changes nothing"},
		{row{"strategic patch that is null", "it was forgotten"}, "strategic", deployment, `null`, "", "400 the patch is null, which changes nothing"},
		{row{"JSON patch that is null", "it was forgotten"}, "json", deployment, `null`, "", "400 the patch is null, which changes nothing"},
		{row{"merge patch that is empty", "it was forgotten"}, "merge", deployment, "\n", "", "400 the patch is empty"},
		{row{"strategic patch that is empty", "it was forgotten"}, "strategic", deployment, "", "", "400 the patch is empty"},
		{row{"merge patch without members", "a server takes it"}, "merge", deployment, `{}`, `{}`, ""},
		{row{"replaced by no object", "the library has no cause and prints one"}, "json", deployment, `[{"op":"replace","path":"","value":5}]`, "",
			"422 replace operation value must be object or array: the server rejected our request due to an error in our request"},
		{row{"operation that does not exist", "it is named by where it is"}, "json", deployment, `[{"op":"test","path":"/kind","value":"Deployment"},{"op":"ad","path":"/x"}]`, "",
			"422 operation 1: op has to be add, remove, replace, move, copy or test: the server rejected our request due to an error in our request"},
		{row{"time", "where it is, and not what"}, "merge", deployment, `{"spec":{"template":{"metadata":{"creationTimestamp":"soon"}}}}`, "",
			"422 spec.template.metadata.creationTimestamp: expected a time of the form 2006-01-02T15:04:05Z07:00"},
		{row{"quantity", "the place goes through lists"}, "strategic", deployment, `{"spec":{"template":{"spec":{"containers":[{"name":"log","resources":{"limits":{"cpu":"much"}}}]}}}}`, "",
			"422 spec.template.spec.containers[1].resources.limits.cpu: expected a quantity of a form such as 100m or 2Gi"},
		{row{"$patch that does not exist", "what there is, is said"}, "strategic", deployment, `{"spec":{"$patch":"bogus"}}`, "", "500 the patch cannot be merged: $patch has to be replace, merge or delete"},
		{row{"list of two types", "they are not quoted"}, "strategic", deployment, `{"metadata":{"ownerReferences":[{"uid":"a"},"b"]}}`, "", "422 metadata.ownerReferences[1]: expected object, got string"},
		{row{"null in a list", "it is no element"}, "strategic", deployment, `{"spec":{"template":{"spec":{"containers":[null]}}}}`, "", "500 the patch cannot be merged: the elements of a list are not all of one type"},
		{row{"duplicate field", "one of the two would be lost"}, "merge", deployment, `{"spec":{"replicas":3,"replicas":4}}`, "", `422 strict decoding error: duplicate field "spec.replicas"`},
		{row{"metadata of a custom object", "its fields are known"}, "merge", widget, `{"metadata":{"lables":{"a":"b"}}}`, "", `422 strict decoding error: unknown field "metadata.lables"`},
		{row{"malformed metadata of a custom object", "it cannot be decoded"}, "merge", widget, `{"metadata":{"labels":5}}`, "", "422 strict decoding error: metadata: cannot restore map from int64"},
		{row{"strategic patch", "containers are merged by name"}, "strategic", deployment, `{"spec":{"template":{"spec":{"containers":[{"name":"log","image":"log:2"}]}}}}`,
			`{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:1","resources":{}},{"name":"log","image":"log:2","resources":{}}]}}}}`, ""},
		{row{"strategic deletion", "a directive of the format"}, "strategic", deployment, `{"spec":{"template":{"spec":{"containers":[{"name":"log","$patch":"delete"}]}}}}`,
			`{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:1","resources":{}}]}}}}`, ""},
		{row{"strategic patch of a custom object", "the keys of its lists are not known"}, "strategic", widget, `{"spec":{"size":3}}`, "",
			"415 the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"},
		{row{"strategic patch with another kind", "a server ignores it"}, "strategic", deployment, `{"kind":"Pod"}`, "",
			"422 the patch changes kind, which is Deployment"},
		{row{"strategic patch with another version", "a server ignores it"}, "strategic", deployment, `{"apiVersion":"v1"}`, "",
			"422 the patch changes apiVersion, which is apps/v1"},
		{row{"strategic unknown field", "a server drops it with a warning"}, "strategic", deployment, `{"spec":{"bogus":3}}`, "",
			`422 strict decoding error: unknown field "spec.bogus"`},
		{row{"strategic duplicate", "one of the two would be lost"}, "strategic", deployment, `{"spec":{"replicas":3,"replicas":4}}`, "", `422 strict decoding error: duplicate field "spec.replicas"`},
		{row{"strategic directive", "an error in the format"}, "strategic", deployment, `{"spec":{"strategy":{"$retainKeys":5,"type":"Recreate"}}}`, "",
			"400 invalid patch format of retainKeys"},
		{row{"strategic element without its key", "an error without a code"}, "strategic", deployment, `{"spec":{"template":{"spec":{"containers":[{"image":"x"}]}}}}`, "",
			"500 the patch cannot be merged: an element of a list does not contain declared merge key: name"},
		{row{"strategic list", "it has to be an object"}, "strategic", deployment, `[]`, "", "400 json: cannot unmarshal array into Go value of type map[string]interface {}"},
	}
}

func TestPatch(t *testing.T) {
	t.Parallel()
	m := merger(t, true)
	testtable.Run(t, patchRows(), func(t *testing.T, tc patchRow) {
		of, err := ParseType(tc.of)
		if err != nil {
			t.Fatal(err)
		}
		old := object(t, tc.stored)
		before := old.DeepCopyObject()
		got, err := m.Patch(old, []byte(tc.patch), of, Options{Manager: "me"})
		if diff := cmp.Diff(before, old); diff != "" {
			t.Errorf("the stored object was modified:\n%s", diff)
		}
		if tc.fails != "" {
			if got != nil || !strings.Contains(coding(err), tc.fails) {
				t.Errorf("got %v and error\n%s\nwant\n%s", got, coding(err), tc.fails)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(changed(t, old, tc.want), decoded(t, asJSON(t, got))); diff != "" {
			t.Errorf("the result differs from what is wanted:\n%s", diff)
		}
		if reflect.TypeOf(got) != reflect.TypeOf(old) {
			t.Errorf("a %T has become a %T", old, got)
		}
	})
}

// changed is an object with a change, whose members replace those of the
// object.
func changed(t *testing.T, o runtime.Object, change string) any {
	t.Helper()
	return replaced(decoded(t, asJSON(t, o)), decoded(t, change))
}

func replaced(of, by any) any {
	fields, ok := of.(map[string]any)
	changes, also := by.(map[string]any)
	if !ok || !also {
		return by
	}
	for name, change := range changes {
		if fields[name] = replaced(fields[name], change); change == nil {
			delete(fields, name)
		}
	}
	return fields
}

func decoded(t testing.TB, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestStrategicIsUpstreams compares with what the library makes of the bytes.
func TestStrategicIsUpstreams(t *testing.T) {
	t.Parallel()
	m := merger(t, false)
	for _, tc := range testtable.Checked(t, patchRows()) {
		if tc.of != "strategic" || tc.want == "" {
			continue
		}
		old := object(t, tc.stored)
		want, err := strategicpatch.StrategicMergePatch([]byte(asJSON(t, old)), []byte(tc.patch), old)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Patch(old, []byte(tc.patch), types.StrategicMergePatchType, Options{})
		if err != nil {
			t.Fatalf("%s: %v", tc.Name(), err)
		}
		if diff := cmp.Diff(decoded(t, string(want)), decoded(t, asJSON(t, got))); diff != "" {
			t.Errorf("%s (%s):\n%s", tc.Name(), tc.Why(), diff)
		}
	}
}

// TestCoded has the errors of strategic merging that no built-in type leads to.
func TestCoded(t *testing.T) {
	t.Parallel()
	const rejected = ": the server rejected our request due to an error in our request"
	for _, tc := range []struct {
		err  error
		want string
	}{
		{mergepatch.ErrNoListOfLists, "422 lists of lists are not supported" + rejected},
		{mergepatch.ErrPatchContentNotMatchRetainKeys, "422 patch content doesn't match retainKeys list" + rejected},
		{mergepatch.ErrUnsupportedStrategicMergePatchFormat, "400 strategic merge patch format is not supported"},
		{mergepatch.ErrBadArgType(map[string]any{}, "x"), "500 the patch cannot be merged: expected a object, but received a string"},
		{mergepatch.ErrBadArgType([]any{}, nil), "500 the patch cannot be merged: expected a array, but received a null"},
		{fmt.Errorf("invalid element type in merging list:%v", "x"), "500 the patch cannot be merged: the value does not have the expected form"},
		{mergepatch.ErrNoMergeKey(nil, "k"), "500 the patch cannot be merged: an element of a list does not contain declared merge key: k"},
	} {
		if got := coding(coded(tc.err)); got != tc.want {
			t.Errorf("%v: got %q, want %q", tc.err, got, tc.want)
		}
	}
}

// TestPatchTracks has a patch change what another manager owns.
func TestPatchTracks(t *testing.T) {
	t.Parallel()
	m := merger(t, true)
	applied, err := m.Apply(nil, config(t, deployment), Options{Manager: "boss"})
	if err == nil || !strings.Contains(err.Error(), "uid mismatch") {
		t.Fatalf("got %v and error %v, want one of the UID", applied, err)
	}
	fresh := config(t, deployment)
	fresh.SetUID("")
	applied, err = m.Apply(nil, fresh, Options{Manager: "boss"})
	if err != nil {
		t.Fatal(err)
	}
	patched, err := m.Patch(applied, []byte(`{"spec":{"replicas":5}}`), types.MergePatchType, Options{Manager: "scaler"})
	if err != nil {
		t.Fatal(err)
	}
	text := asJSON(t, patched)
	for _, want := range []string{
		`{"manager":"scaler","operation":"Update","apiVersion":"apps/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:replicas":{}}}}`,
		`{"manager":"boss","operation":"Apply",`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	if strings.Count(text, "f:replicas") != 1 {
		t.Errorf("the replicas have not changed hands: %s", text)
	}
}

// TestPatchKeepsManagers has patches that leave managedFields in a bad state.
func TestPatchKeepsManagers(t *testing.T) {
	t.Parallel()
	m := merger(t, true)
	old, err := m.Apply(nil, config(t, `{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {a: b}}}`), Options{Manager: "boss"})
	if err != nil {
		t.Fatal(err)
	}
	kept := old.(*corev1.Namespace).ManagedFields
	for patch, want := range map[string]int{
		`{"metadata":{"managedFields":[{"manager":"x"}]}}`: 1,
		`{"metadata":{"managedFields":null}}`:              1,
		`{"metadata":{"managedFields":[]}}`:                0,
		`{"metadata":{"managedFields":[{}]}}`:              0,
	} {
		patched, err := m.Patch(old, []byte(patch), types.MergePatchType, Options{Manager: "me"})
		if err != nil {
			t.Fatal(err)
		}
		if got := patched.(*corev1.Namespace).ManagedFields; len(got) != want || want == 1 && !cmp.Equal(got, kept) {
			t.Errorf("%s: managedFields are %v, want %d of %v", patch, got, want, kept)
		}
	}
}
