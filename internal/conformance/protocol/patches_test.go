package protocol

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/conformance/report"
)

// labels is a patch that anything with labels takes.
const labels = `[{"op":"add","path":"/metadata/labels/team","value":"shop"}]`

// patching is a webhook that answers everything with a patch, and with these
// fields besides; nil takes one out.
func patching(patch string, besides ...any) http.Handler {
	return probetest.Handler(func(_ probe.Review, response map[string]any) {
		response["patch"] = base64.StdEncoding.EncodeToString([]byte(patch))
		response["patchType"] = "JSONPatch"
		for i := 0; i < len(besides); i += 2 {
			set(response, besides[i].(string), besides[i+1])
		}
	})
}

func TestValidatingPatch(t *testing.T) {
	t.Parallel()
	const (
		id      = "C-VALIDATING-PATCH"
		nothing = "the webhook answered no review of v1 with HTTP 200, and kube-apiserver ignores its patches in v1beta1"
	)
	runAll(t, []seen{
		{row{"good", "it only says yes"}, id, validating(), good(), one(), report.Pass, ""},
		{row{"patch", "it is not asked to change anything"}, id, validating(), patching(labels), one(), report.Fail, "the answer of a validating webhook has a patch"},
		{row{"v1beta1", "there the patch is ignored, and nothing fails"}, id, validating("v1beta1"), patching(labels), one(), report.Skip, nothing},
		{row{"both", "it is ignored in one of them only"}, id, validating("v1beta1", "v1"), patching(labels), one(), report.Fail, "the answer of a validating webhook has a patch"},
		{row{"type alone", "kube-apiserver minds that, too"}, id, validating(), sets("patchType", "JSONPatch"), one(), report.Fail,
			"the answer of a validating webhook has a patchType"},
		{row{"mutating", "that is what patches are for"}, id, mutating(), patching(labels), one(), report.Skip, "it is a mutating webhook"},
		{row{"unvisited", "without an answer there is no patch"}, id, validating(), good(), nil, report.Skip, nothing},
	})
}

func TestPatchType(t *testing.T) {
	t.Parallel()
	const (
		id      = "C-PATCH-TYPE"
		nothing = "no answer to a review of v1 has a patch, and kube-apiserver ignores the patchType in v1beta1"
	)
	runAll(t, []seen{
		{row{"good", "they come together"}, id, mutating(), patching(labels), one(), report.Pass, ""},
		{row{"no type", "a patch needs one"}, id, mutating(), patching(labels, "patchType", nil), one(), report.Fail, "the answer has a patch, but no patchType"},
		{row{"no patch", "a type needs a patch"}, id, mutating(), patching(labels, "patch", nil), one(), report.Fail, "the answer has a patchType, but no patch"},
		{row{"empty patch", "it is as if there were none"}, id, mutating(), patching(""), one(), report.Fail, "the answer has a patchType, but no patch"},
		{row{"other type", "there is only one"}, id, mutating(), patching(labels, "patchType", "MergePatch"), one(), report.Fail, `the patchType is "MergePatch", not "JSONPatch"`},
		{row{"number", "it cannot be decoded"}, id, mutating(), patching(labels, "patchType", 1), one(), report.Fail, "the patchType is no string"},
		{row{"denied", "the answer is checked before it is believed"}, id, mutating(),
			patching(labels, "patchType", nil, "allowed", false, "status", map[string]any{"code": 403, "message": "no"}), one(), report.Fail, "the answer has a patch, but no patchType"},
		{row{"v1beta1", "there is no other type there"}, id, mutating("v1beta1"), patching(labels, "patchType", nil), one(), report.Skip, nothing},
		{row{"unpatched", "then there is no type either"}, id, mutating(), good(), one(), report.Skip, nothing},
		{row{"validating", "it may have neither"}, id, validating(), good(), one(), report.Skip, "it is a validating webhook"},
	})
}

func TestPatchDecodes(t *testing.T) {
	t.Parallel()
	const id = "C-PATCH-DECODES"
	no := map[string]any{"code": 403, "message": "no"}
	runAll(t, []seen{
		{row{"good", "a list of operations, in base64"}, id, mutating(), patching(labels), one(), report.Pass, ""},
		{row{"no operations", "an empty list is a patch"}, id, mutating(), patching(`[]`), one(), report.Pass, ""},
		{row{"merge patch", "an object is no list"}, id, mutating(), patching(`{"metadata":{"labels":{"team":"shop"}}}`), one(), report.Fail,
			"the patch is no JSON patch: json: cannot unmarshal object into Go value of type jsonpatch.Patch"},
		{row{"plain", "bytes are base64 in JSON"}, id, mutating(), patching("", "patch", labels), one(), report.Fail,
			"the patch is not in base64: illegal base64 data at input byte 0"},
		{row{"list", "a patch is bytes, not JSON in JSON"}, id, mutating(), patching("", "patch", json.RawMessage(labels)), one(), report.Fail,
			"the patch is not in base64: it is not a string"},
		{row{"denied and plain", "what cannot be decoded is no denial either"}, id, mutating(), patching("", "patch", labels, "allowed", false, "status", no), one(), report.Fail,
			"the patch is not in base64: illegal base64 data at input byte 0"},
		{row{"denied", "the patch of a denial is not decoded"}, id, mutating(), patching(`{}`, "allowed", false, "status", no), one(), report.Skip, noPatch},
		{row{"unpatched", "without a patch there is nothing to decode"}, id, mutating(), good(), one(), report.Skip, noPatch},
		{row{"validating", "it may have none"}, id, validating(), good(), one(), report.Skip, "it is a validating webhook"},
	})
}

func TestPatchApplies(t *testing.T) {
	t.Parallel()
	const (
		id      = "C-PATCH-APPLIES"
		missing = `[{"op":"add","path":"/metadata/annotations/a","value":"b"}]`
	)
	no := map[string]any{"code": 403, "message": "no"}
	runAll(t, []seen{
		{row{"good", "what it adds to is there"}, id, mutating(), patching(labels), one(), report.Pass, ""},
		{row{"missing parent", "it is the most common mistake"}, id, mutating(), patching(missing), one(), report.Fail,
			`applying the patch: add operation does not apply: doc is missing path: "/metadata/annotations/a": missing value`},
		{row{"failed test", "the patch was not made for this object"}, id, mutating(), patching(`[{"op":"test","path":"/metadata/name","value":"db"}]`), one(), report.Fail,
			"applying the patch: testing value /metadata/name failed: test failed"},
		{row{"unknown operation", "it decodes, but cannot be applied"}, id, mutating(), patching(`[{"op":"merge","path":"/metadata","value":{}}]`), one(), report.Fail,
			"applying the patch: Unexpected kind: merge"},
		{row{"v1beta1", "patches are the same there"}, id, mutating("v1beta1"), patching(missing), one(), report.Fail,
			`applying the patch: add operation does not apply: doc is missing path: "/metadata/annotations/a": missing value`},
		{row{"denied", "the patch of a denial is not applied"}, id, mutating(), patching(missing, "allowed", false, "status", no), one(), report.Skip, noPatch},
		{row{"no operations", "there is nothing to apply"}, id, mutating(), patching(`[]`), one(), report.Skip, noPatch},
		{row{"validating", "it may have no patch"}, id, validating(), good(), one(), report.Skip, "it is a validating webhook"},
	})
}

func TestPatchOnDelete(t *testing.T) {
	t.Parallel()
	const (
		id      = "C-PATCH-ON-DELETE"
		nothing = "the webhook answered no sample that is a DELETE with HTTP 200"
	)
	no := map[string]any{"code": 403, "message": "no"}
	deletion := pods(admissionv1.Delete)
	runAll(t, []seen{
		{row{"good", "nothing can be changed, and nothing is"}, id, mutating(), good(), deletion, report.Pass, ""},
		{row{"no operations", "kube-apiserver does not mind an empty list"}, id, mutating(), patching(`[]`), deletion, report.Pass, ""},
		{row{"denied", "the patch of a denial is not applied"}, id, mutating(), patching(labels, "allowed", false, "status", no), deletion, report.Pass, ""},
		{row{"patch", "there is nothing that it could be applied to"}, id, mutating(), patching(labels), deletion, report.Fail, "the answer to a DELETE has a patch"},
		{row{"created", "nothing was deleted"}, id, mutating(), patching(labels), one(), report.Skip, nothing},
		{row{"validating", "it may have no patch"}, id, validating(), good(), deletion, report.Skip, "it is a validating webhook"},
	})
}
