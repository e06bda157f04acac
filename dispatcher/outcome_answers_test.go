package dispatcher_test

import (
	"encoding/base64"
	"fmt"

	"example.com/gatehouse/admission"
)

// answeredRows are webhooks that responded. A denial is the webhook's own
// status under every policy (S-248).
func answeredRows() []outcomeRow {
	return []outcomeRow{{
		row:    row{"allowed", "S-330, S-331: one request with code 200"},
		answer: allow(),
	}, {
		row:    row{"allowed with remarks", "S-300, S-310: warnings in order, annotations under the name of the webhook"},
		answer: reply(`"allowed":true,"warnings":["one","two","one"],"auditAnnotations":{"b":"2","a":"1"}`),
	}, {
		row:    row{"allowed with bad annotations", "S-311: annotations with malformed keys are dropped; the call succeeds"},
		answer: reply(`"allowed":true,"auditAnnotations":{"bad*":"1","a/b":"2","good":"3"}`),
	}, {
		row:    row{"denied without explanation", "S-230, S-231: no result at all gives 400 and a text of our own"},
		answer: deny(),
	}, {
		row:    row{"denied with message", "S-231, S-232: code, reason and details are the webhook's own"},
		answer: reply(`"allowed":false,"status":{"code":403,"reason":"Forbidden","message":"no pods on Fridays","details":{"kind":"pods","name":"web","retryAfterSeconds":3}}`),
	}, {
		row:    row{"denied with reason", "S-231: the reason explains if there is no message"},
		answer: reply(`"allowed":false,"status":{"reason":"BecauseISaySo"}`),
	}, {
		row:    row{"denied with success", "S-230: code 200 and status Success make no denial; they become 400 and Failure"},
		answer: reply(`"allowed":false,"status":{"code":200,"status":"Success","message":"fine"}`),
	}, {
		row:    row{"denied with code 399", "S-230: everything below 400 becomes 400"},
		answer: reply(`"allowed":false,"status":{"code":399}`),
	}, {
		row:    row{"denied with code 700", "A8: kube-apiserver has no upper bound but in the metrics, and panics from 1000 on; here everything above 599 becomes 599"},
		answer: reply(`"allowed":false,"status":{"code":700,"status":"Odd"}`),
	}, {
		row:    row{"denied with remarks", "S-300, S-310: a denial may be explained by warnings and annotations"},
		answer: reply(`"allowed":false,"warnings":["careful"],"auditAnnotations":{"a":"1"}`),
	}, {
		row:     row{"allowed in v1beta1", "S-222: the older version is checked for nothing but a response"},
		answer:  says(200, "application/json", `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1","response":{"uid":"other","allowed":true}}`),
		webhook: func(w *admission.Webhook) { w.AdmissionReviewVersions = []string{"v2", "v1beta1", "v1"} },
	}, {
		row:    row{"allowed in YAML", "S-224: the content type does not choose the decoder"},
		answer: says(200, "text/html", "kind: AdmissionReview\napiVersion: admission.k8s.io/v1\nresponse: {uid: UID, allowed: true}\n"),
	}}
}

// patchRows are webhooks that change, or try to change, the object.
func patchRows() []outcomeRow {
	return []outcomeRow{{
		row:    row{"patch", "S-179, S-313, S-314: a patch that changes something; a validating webhook may not send one (S-220)"},
		answer: patches(`[` + addLabel("by", "<hook>") + `, {"path":"/metadata/labels/app","op":"remove"}]`),
	}, {
		row:    row{"patch without effect", "S-179: it counts as no change and is annotated all the same"},
		answer: patches(`[{"op":"replace","path":"/metadata/labels/app","value":"web"}]`),
	}, {
		row:    row{"patch of an unknown field", "S-178: the field vanishes, nothing has changed"},
		answer: patches(`[{"op":"add","path":"/spec/bogus","value":1}]`),
	}, {
		row:    row{"patch of no operations", "S-174: an empty list is no patch"},
		answer: patches(`[]`),
	}, {
		row:    row{"patch of null", "S-174: nor is null"},
		answer: patches(`null`),
	}, {
		row:    row{"patch that cannot be decoded", "S-245: a failed call, which the policy may forgive"},
		answer: patches(`{"op":`),
	}, {
		row:    row{"patch that does not apply", "S-177, S-250: an internal error, whatever the policy"},
		answer: patches(`[{"op":"remove","path":"/metadata/labels/zz"}]`),
	}, {
		row:    row{"patch whose test fails", "S-177: a test is an operation like any other"},
		answer: patches(`[{"op":"test","path":"/metadata/name","value":"other"}]`),
	}, {
		row:    row{"patch that makes the library panic", "S-177: a well-formed patch must not end more than its request"},
		answer: patches(`[{"op":"replace","path":""}]`),
	}, {
		row:    row{"patch to a wrong type", "S-177: the result has to be an object of the kind"},
		answer: patches(`[{"op":"replace","path":"/metadata/labels","value":"none"}]`),
	}, {
		row:    row{"patch to another kind", "S-172: decoding makes a Service of it, which is noticed when it is written back"},
		answer: patches(`[{"op":"replace","path":"/kind","value":"Service"}]`),
	}, {
		row:     row{"patch on delete", "S-175: there is no object to patch; no policy helps"},
		answer:  patches(`[` + addLabel("by", "hook") + `]`),
		request: deletion(),
	}, {
		row:       row{"patch that does not apply, under the policy", "kubernetes#129459: by Config.PatchFailurePolicy a failed call"},
		answer:    patches(`[{"op":"remove","path":"/metadata/labels/zz"}]`),
		forgiving: true,
	}, {
		row:       row{"patch that makes the library panic, under the policy", "a patch like any other that cannot be applied"},
		answer:    patches(`[{"op":"replace","path":""}]`),
		forgiving: true,
	}, {
		row:       row{"patch on delete, under the policy", "S-175: the same"},
		answer:    patches(`[` + addLabel("by", "hook") + `]`),
		request:   deletion(),
		forgiving: true,
	}, {
		row:     row{"patch of no operations on delete", "S-175: nothing is asked for, so nothing is wrong"},
		answer:  patches(`[]`),
		request: deletion(),
	}, {
		row:    row{"patch with remarks that does not apply", "S-300, S-310: warnings and annotations are kept, because the response was valid"},
		answer: reply(`"allowed":true,"warnings":["careful"],"auditAnnotations":{"a":"1"},` + patchMembers(`[{"op":"remove","path":"/x"}]`)),
	}, {
		row:    row{"patch of unsupported type", "S-176: a failed call whose code is the one for no result"},
		answer: patchOfType("Foo", ""),
	}, {
		row:    row{"patch of unsupported type with result", "S-246: the code comes from the result"},
		answer: patchOfType("Foo", `,"status":{"code":418}`),
	}, {
		row:    row{"patch in a denial", "S-183: the denial counts, the patch is not looked at"},
		answer: reply(`"allowed":false,` + patchMembers(`nonsense`)),
	}, {
		row:     row{"patch in v1beta1", "S-222: its type is taken for JSONPatch; a validating webhook's is ignored"},
		answer:  reply(`"allowed":true,"patch":"` + base64.StdEncoding.EncodeToString([]byte(`[`+addLabel("by", "hook")+`]`)) + `"`),
		webhook: func(w *admission.Webhook) { w.AdmissionReviewVersions = []string{"v1beta1"} },
	}}
}

func patchOfType(patchType, more string) exchange {
	operations := base64.StdEncoding.EncodeToString([]byte(`[` + addLabel("by", "hook") + `]`))
	return reply(fmt.Sprintf(`"allowed":true,"patchType":%q,"patch":%q%s`, patchType, operations, more))
}
