package generate

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"example.com/gatehouse/test/internal/parity/scenario"
)

// These are where the webhooks of each phase are. Two that share a path give
// the same answers.
var (
	mutatingPaths   = []string{"/m0", "/m1", "/m2", "/m3"}
	validatingPaths = []string{"/v0", "/v1", "/v2", "/v3"}
)

// answers draws the responses of each path: one that depends on the object, or
// the same for every request.
func answers(t *rapid.T) map[string][]scenario.Answer {
	all := map[string][]scenario.Answer{}
	for _, path := range mutatingPaths {
		all[path] = given(t, mutation)
	}
	for _, path := range validatingPaths {
		all[path] = given(t, validation)
	}
	return all
}

func given(t *rapid.T, answer func(*rapid.T) scenario.Answer) []scenario.Answer {
	always := remark(t, answer(t))
	if !rarely(t, "depends", 4) {
		return []scenario.Answer{always}
	}
	first := remark(t, answer(t))
	first.When = &scenario.When{Path: "/metadata/labels/" + oneOf(t, "depends on", labelKeys),
		Not: boolean(t, "on its absence")}
	return []scenario.Answer{first, always}
}

// mutation draws the response of a mutating webhook, most often a patch.
func mutation(t *rapid.T) scenario.Answer {
	switch below(t, "answer", 13) {
	case 0, 1, 2:
		return scenario.Answer{Allowed: true}
	case 11:
		return unusual(t)
	case 12:
		return quirk(t)
	default:
		return scenario.Answer{Allowed: true, Patch: oneOf(t, "patch", patches)}
	}
}

// validation draws the response of a validating webhook, which may not send a
// patch.
func validation(t *rapid.T) scenario.Answer {
	switch below(t, "answer", 9) {
	case 0, 1, 2, 3, 4:
		return scenario.Answer{Allowed: true}
	case 8:
		return quirk(t)
	case 5:
		return scenario.Answer{Allowed: true, Patch: oneOf(t, "patch", []string{"", patches[0], "[]"})}
	default:
		return unusual(t)
	}
}

// unusual draws a denial, or an answer of a webhook that is wrong or in
// trouble.
func unusual(t *rapid.T) scenario.Answer {
	a := scenario.Answer{Allowed: true}
	switch below(t, "unusual", 4) {
	case 0, 1:
		a.Allowed, a.Result = false, result(t)
	case 2:
		spoil(t, &a)
	case 3:
		breakDown(t, &a)
	}
	return a
}

// remark adds what goes along with any answer.
func remark(t *rapid.T, a scenario.Answer) scenario.Answer {
	if rarely(t, "remarks", 3) {
		a.Warnings = some(t, "warning", 2, []string{"careful", "use v2", "é <&>"})
		a.AuditAnnotations = map[string]string{oneOf(t, "annotation",
			[]string{"k", "l", "not/valid/key", ""}): "v"}
	}
	return a
}

func label(op, key, value string) string {
	return fmt.Sprintf(`{"op":%q,"path":"/metadata/labels/%s","value":%q}`, op, key, value)
}

// patches set and take away what selectors, conditions and other webhooks look
// at. Those that apply to any object are twice as likely as the others, of
// which some apply only to objects that have labels already, and some to none.
var patches = slices.Concat(soundPatches, soundPatches, otherPatches)

var soundPatches = []string{
	`[{"op":"add","path":"/metadata/labels","value":{"a":"1"}}]`,
	`[{"op":"add","path":"/metadata/labels","value":{"a":"1"}}]`,
	`[{"op":"add","path":"/metadata/labels","value":{"b":"2","c":"1"}}]`,
	`[{"op":"add","path":"/metadata/labels","value":{"b":"2","c":"1"}}]`,
	`[{"op":"add","path":"/metadata/labels","value":{"c":"2"}}]`,
	`[{"op":"add","path":"/metadata/labels","value":{}},` + label("add", "a", "2") + `]`,
	`[{"op":"add","path":"/metadata/annotations","value":{"by":"<&> é"}}]`,
	`[{"op":"add","path":"/metadata/annotations","value":{"by":"another"}}]`,
}

var otherPatches = []string{
	`[` + label("add", "a", "2") + `]`,
	`[` + label("replace", "b", "2") + `]`,
	`[` + label("add", "c", "1") + `,{"op":"test","path":"/metadata/labels/c","value":"1"}]`,
	`[{"op":"remove","path":"/metadata/labels/a"}]`,
	`[{"op":"remove","path":"/metadata/labels"}]`,
	`[]`,
	`null`,
	`[{"op":"add","path":"/spec/unknown","value":{"x":1.5}}]`,
	`[{"op":"copy","from":"/metadata/name","path":"/metadata/generateName"}]`,
	`[{"op":"move","from":"/metadata/labels/a","path":"/metadata/labels/b"}]`,
	`[{"op":"test","path":"/kind","value":"Nothing"}]`,
	`[{"op":"replace","path":"/metadata/labels","value":"text"}]`,
	`[{"op":"replace","path":"/kind","value":"Service"}]`,
	`[{"op":"none","path":"/x"}]`,
	`{"op":"add"}`,
	`not json`,
}

// result draws the reason for a denial. A code below 400 becomes 400; none is
// above 599.
func result(t *rapid.T) *metav1.Status {
	if boolean(t, "without a reason") {
		return nil
	}
	s := &metav1.Status{
		Code:    oneOf(t, "code", []int32{0, 403, 409, 200, 399, 429, 500, -1}),
		Message: oneOf(t, "message", []string{"no", "", "é <&> %s"}),
		Reason:  oneOf(t, "reason", []metav1.StatusReason{"", metav1.StatusReasonForbidden, "Whatever"}),
		Status:  oneOf(t, "status", []string{"", "Success", "Failure"}),
	}
	if rarely(t, "details", 3) {
		s.Details = &metav1.StatusDetails{Name: "n",
			Causes: []metav1.StatusCause{{Type: "T", Message: "m", Field: "f"}}, RetryAfterSeconds: 3}
	}
	return s
}

// spoil makes a response invalid.
func spoil(t *rapid.T, a *scenario.Answer) {
	switch below(t, "spoiled", 5) {
	case 0:
		a.UID = "another"
	case 1:
		a.APIVersion = oneOf(t, "apiVersion",
			[]string{"admission.k8s.io/v1beta1", "admission.k8s.io/v1", "v1"})
	case 2:
		a.NoResponse = true
	case 3:
		a.Patch, a.NoPatchType = patches[0], true
	case 4:
		a.Body = new(oneOf(t, "body", bodies))
	}
}

// bodies are answers that hardly are.
var bodies = []string{
	``,
	`{}`,
	`null`,
	`[]`,
	`{"kind":"AdmissionReview"}`,
	`{"kind":"Pod","apiVersion":"v1"}`,
	`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"{{uid}}","allowed":"yes"}}`,
	`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"{{uid}}","allowed":true,"allowed":false}}`,
	"kind: AdmissionReview\napiVersion: admission.k8s.io/v1\nresponse: {uid: \"{{uid}}\", allowed: yes}\n",
	`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"{{uid}}","allowed":true,"patch":"?"}}`,
	`{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no","reason":"Forbidden","code":403}`,
	`gibberish`,
}

// breakDown makes an answer of a webhook that is in trouble.
func breakDown(t *rapid.T, a *scenario.Answer) {
	switch below(t, "broken", 3) {
	case 0:
		a.Status = oneOf(t, "HTTP status", []int{500, 404, 403, 201, 429, 503, 400})
	case 1:
		a.Status, a.Body = oneOf(t, "HTTP status", []int{500, 404, 503}), new(oneOf(t, "body", bodies))
	case 2:
		a.Reset = true
	}
}
