package probe

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

type answerCase struct {
	testtable.Row
	body string
	want *Answer
}

func TestParse(t *testing.T) {
	t.Parallel()
	// Every answer has a map of annotations, and this response.
	answer := func(a Answer, response map[string]any) *Answer {
		a.Response = response
		if a.AuditAnnotations == nil {
			a.AuditAnnotations = map[string]string{}
		}
		return &a
	}
	testtable.Run(t, []answerCase{
		{testtable.Row{"text", "a page of a proxy is no answer"}, "<html>", nil},
		{testtable.Row{"list", "an answer is an object"}, "[]", nil},
		{testtable.Row{"no response", "the review alone is no answer"}, `{"kind":"AdmissionReview"}`, nil},
		{testtable.Row{"capital", "fields are found by their exact names, as kube-apiserver finds them"}, `{"Response":{}}`, nil},
		{testtable.Row{"more behind it", "what follows makes it no JSON"}, `{"response":{}}{}`, nil},
		{testtable.Row{"empty", "nothing is said, and allowed is not false"}, `{"response":{}}`, answer(Answer{}, map[string]any{})},
		{testtable.Row{"texts", "they are kept as they are"}, `{"apiVersion":"v","kind":"k","response":{"uid":"u"}}`,
			answer(Answer{APIVersion: "v", Kind: "k", UID: "u"}, map[string]any{"uid": "u"})},
		{testtable.Row{"wrong types", "one mistake does not hide the others"}, `{"kind":1,"response":{"uid":1,"allowed":"yes","patchType":[],"status":"no","warnings":"w","auditAnnotations":[]}}`,
			answer(Answer{}, map[string]any{"uid": int64(1), "allowed": "yes", "patchType": []any{}, "status": "no", "warnings": "w", "auditAnnotations": []any{}})},
		{testtable.Row{"no", "a denial has a status"}, `{"response":{"allowed":false,"status":{"code":403,"reason":"r","message":"m"}}}`,
			answer(Answer{Allowed: new(false), Code: 403, Reason: "r", Message: "m"},
				map[string]any{"allowed": false, "status": map[string]any{"code": int64(403), "reason": "r", "message": "m"}})},
		{testtable.Row{"patch", "it is decoded"}, `{"response":{"patch":"W10=","patchType":"JSONPatch"}}`,
			answer(Answer{Patch: []byte("[]"), PatchType: new("JSONPatch")}, map[string]any{"patch": "W10=", "patchType": "JSONPatch"})},
		{testtable.Row{"plain patch", "it is taken as what was meant"}, `{"response":{"patch":"[]"}}`,
			answer(Answer{Patch: []byte("[]"), PatchErr: errors.New("illegal base64 data at input byte 0")}, map[string]any{"patch": "[]"})},
		{testtable.Row{"patch in JSON", "the same goes for a list"}, `{"response":{"patch":[{"op":"x"}]}}`,
			answer(Answer{Patch: []byte(`[{"op":"x"}]`), PatchErr: errors.New("it is not a string")}, map[string]any{"patch": []any{map[string]any{"op": "x"}}})},
		{testtable.Row{"null patch", "it is none"}, `{"response":{"patch":null}}`, answer(Answer{}, map[string]any{"patch": nil})},
		{testtable.Row{"extras", "those that are no text are empty"}, `{"response":{"warnings":["a",1],"auditAnnotations":{"k":"v","n":1}}}`,
			answer(Answer{Warnings: []string{"a", ""}, AuditAnnotations: map[string]string{"k": "v", "n": ""}},
				map[string]any{"warnings": []any{"a", int64(1)}, "auditAnnotations": map[string]any{"k": "v", "n": int64(1)}})},
	}, func(t *testing.T, tc answerCase) {
		sameText := cmp.Comparer(func(a, b error) bool { return testtable.Text(a) == testtable.Text(b) })
		if diff := cmp.Diff(tc.want, parse([]byte(tc.body)), sameText); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	})
}

type allowedCase struct {
	testtable.Row
	allowed           *bool
	isAllowed, denies bool
}

func TestAllowed(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []allowedCase{
		{testtable.Row{"yes", "it is said"}, new(true), true, false},
		{testtable.Row{"no", "it is said"}, new(false), false, true},
		{testtable.Row{"nothing", "kube-apiserver takes it for a denial"}, nil, false, false},
	}, func(t *testing.T, tc allowedCase) {
		a := &Answer{Allowed: tc.allowed}
		if got := a.IsAllowed(); got != tc.isAllowed {
			t.Errorf("IsAllowed is %t, want %t", got, tc.isAllowed)
		}
		if got := a.Denies(); got != tc.denies {
			t.Errorf("Denies is %t, want %t", got, tc.denies)
		}
	})
}
