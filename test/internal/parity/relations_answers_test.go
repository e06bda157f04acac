package parity

import (
	"encoding/base64"
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"example.com/gatehouse/test/internal/parity/generate"
	"example.com/gatehouse/test/internal/parity/scenario"
)

// relationsOfPatches are about patches that should make no difference.
func relationsOfPatches() map[int]relation {
	return map[int]relation{
		7: {name: "the same patch again changes nothing", holds: idempotentPatch},
		8: {name: "a patch of nothing changes nothing", holds: identityPatch},
	}
}

// relationsOfAnswers are about how an answer is written down.
func relationsOfAnswers() map[int]relation {
	return map[int]relation{
		21: {name: "the spelling of an answer does not matter", holds: redundantSpelling},
		22: {name: "the length of an answer does not matter", holds: padding},
	}
}

// patchable draws a request that a patch may change.
func patchable(t *trial) scenario.Scenario {
	s := generate.Plain(t.T, "configmaps", "widgets", "nodes", "deployments")
	if q := &s.Steps[0].Request; q.Operation == "DELETE" {
		q.Operation, q.Object, q.OldObject, q.Options = "CREATE", q.OldObject, nil, nil
	}
	s.Validating = nil
	return s
}

func idempotentPatch(t *trial) {
	s := patchable(t)
	s.Mutating = mutatingWith(anyone("first", "/label"))
	s.Answers["/label"] = patching(`{"op":"add","path":"/metadata/labels","value":{"a":"1"}}`)
	once := t.observe(&s)
	changed := deepCopy(t, &s)
	changed.Mutating = mutatingWith(anyone("first", "/label"), anyone("second", "/label"))
	twice := t.observe(changed)
	if twice.Object != once.Object {
		t.Errorf("%s became %s", once.Object.JSON, twice.Object.JSON)
	}
	second := twice.Metadata["mutation.webhook.admission.k8s.io/round_0_index_1"]
	if !strings.Contains(second, `"mutated":false`) {
		t.Errorf("the second time: %s", second)
	}
	t.show(changed)
}

func identityPatch(t *trial) {
	s := patchable(t)
	s.Mutating = mutatingWith(anyone("hook", "/hook"))
	s.Answers["/hook"] = allowing()
	without := t.observe(&s)
	same := fmt.Sprintf(`[{"op":"replace","path":"/kind","value":%q}]`, s.Steps[0].Request.Kind.Kind)
	changed := deepCopy(t, &s)
	changed.Answers["/hook"] = []scenario.Answer{{
		Allowed: true,
		Patch:   rapid.SampledFrom([]string{"[]", "null", " [ ] ", same, `[{"op":"test","path":"/kind","value":"` + s.Steps[0].Request.Kind.Kind + `"}]`}).Draw(t.T, "patch"),
	}}
	with := t.observe(changed)
	if with.Object != without.Object || with.Error != without.Error {
		t.Errorf("%s became %s, with error %q", without.Object.JSON, with.Object.JSON, with.Error.Text)
	}
	t.show(changed)
}

// spellings are one answer, written down in several ways. %s is the patch.
var spellings = []string{
	`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"{{uid}}","allowed":true,"patch":"%s","patchType":"JSONPatch"}}`,
	`{"response":{"patchType":"JSONPatch","patch":"%s","allowed":true,"uid":"{{uid}}"},"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}`,
	" \n{ \"kind\" : \"AdmissionReview\" ,\t\"apiVersion\":\"admission.k8s.io/v1\",\"response\": {\"uid\":\"{{uid}}\",\"allowed\" : true,\"patch\":\"%s\",\"patchType\":\"JSONPatch\"} } \r\n",
	`{"kind":"\u0041dmissionReview","apiVersion":"admission.k8s.io\/v1","response":{"\u0075id":"{{uid}}","allowed":true,"patch":"%s","patchType":"JSON\u0050atch"}}`,
	`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","unknown":[1,{"a":null}],"response":{"uid":"{{uid}}","allowed":true,"patch":"%s","patchType":"JSONPatch","unknown":1.5e3}}`,
	"kind: AdmissionReview\napiVersion: admission.k8s.io/v1\nresponse:\n  uid: \"{{uid}}\"\n  allowed: true\n  patch: \"%s\"\n  patchType: JSONPatch\n",
}

// spelled is a webhook that answers in one of the spellings.
func spelled(spelling string) []scenario.Answer {
	patch := base64.StdEncoding.EncodeToString([]byte(`[{"op":"add","path":"/metadata/labels","value":{"a":"1"}}]`))
	return []scenario.Answer{{Body: new(fmt.Sprintf(spelling, patch))}}
}

func redundantSpelling(t *trial) {
	s := patchable(t)
	s.Mutating = mutatingWith(anyone("hook", "/hook"))
	s.Answers["/hook"] = spelled(spellings[0])
	plain := t.observe(&s)
	changed := deepCopy(t, &s)
	changed.Answers["/hook"] = spelled(rapid.SampledFrom(spellings[1:]).Draw(t.T, "spelling"))
	t.same(plain, t.observe(changed), changed)
}

// padding stays below the limit, which other tests cover.
func padding(t *trial) {
	s := patchable(t)
	s.Mutating = mutatingWith(anyone("hook", "/hook"))
	s.Answers["/hook"] = spelled(spellings[0])
	plain := t.observe(&s)
	blanks := strings.Repeat(" ", rapid.IntRange(1, 200_000).Draw(t.T, "blanks"))
	changed := deepCopy(t, &s)
	changed.Answers["/hook"] = spelled(spellings[0] + blanks)
	// Not to be printed.
	after := t.observe(changed)
	t.same(plain, after, &s)
}
