package dispatcher_test

import (
	"encoding/base64"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

type patchPanicRow struct {
	row
	patch string
}

// patchPanicRows are the seven places where the patch library panics, reached
// by an object with a list that has null, a number, an object and a list in it.
func patchPanicRows() []patchPanicRow {
	const null = `{"op":"add","path":"/n","value":null},{"op":"copy","from":"/n","path":"/m"}`
	return []patchPanicRow{
		{row{"null in the object's list", "G26"}, `[{"op":"test","path":"/null","value":[1]}]`},
		{row{"null against a number", "G26"}, `[{"op":"test","path":"/number","value":[null]}]`},
		{row{"null against an object", "G26"}, `[{"op":"test","path":"/object","value":[null]}]`},
		{row{"null against a list", "G26"}, `[{"op":"test","path":"/list","value":[null]}]`},
		{row{"test of the root without a value", "G24"}, `[{"op":"test","path":""}]`},
		{row{"replace of the root without a value", "G25"}, `[{"op":"replace","path":""}]`},
		{row{"add below a copied null", "G27"}, `[` + null + `,{"op":"add","path":"/m/x","value":1}]`},
		{row{"replace below a copied null", "G27"}, `[` + null + `,{"op":"replace","path":"/m/x","value":1}]`},
	}
}

// TestPatchesThatPanic sends them in both phases. In the older version a
// validating webhook's patch is not even looked at.
func TestPatchesThatPanic(t *testing.T) {
	t.Parallel()
	testtable.Run(t, patchPanicRows(), func(t *testing.T, tc patchPanicRow) {
		older := reply(`"allowed":true,"patch":"` + base64.StdEncoding.EncodeToString([]byte(tc.patch)) + `"`)
		for _, try := range []struct {
			phase   admission.Phase
			answer  exchange
			version string
			want    admission.Outcome
		}{
			{admission.Mutating, patches(tc.patch), "v1", admission.Internal},
			{admission.Mutating, older, "v1beta1", admission.Internal},
			{admission.Validating, patches(tc.patch), "v1", admission.FailedOpen},
			{admission.Validating, older, "v1beta1", admission.Allowed},
		} {
			s := one(try.phase, try.answer, ignoring, func(w *admission.Webhook) { w.AdmissionReviewVersions = []string{try.version} })
			s.request = request{kind: podKind, resource: podResource, object: &unstructured.Unstructured{Object: map[string]any{
				"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "web"},
				"null": []any{nil}, "number": []any{int64(1)}, "object": []any{map[string]any{}}, "list": []any{[]any{}},
			}}}
			if call := s.run(t.Context(), t, try.phase).calls[0]; call.Outcome != try.want {
				t.Errorf("%v %s: %v with error %v, want %v", try.phase, try.version, call.Outcome, call.Err, try.want)
			}
		}
	})
}
