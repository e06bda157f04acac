package protocol

import (
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

const (
	isMutating = "it is a mutating webhook"
	noPatch    = "no answer has a patch"
)

// patches are the checks of whether a patch can be applied.
func patches() []check.Check {
	return []check.Check{
		each(report.Check{
			ID: "C-VALIDATING-PATCH", Level: report.Must,
			Title: "sends no patch as a validating webhook",
			Why:   "A validating webhook that answers a v1 review with a patch or a patchType has failed to answer, and failurePolicy decides. Answers to v1beta1 reviews are not looked at: there both are ignored.",
			Fix:   "Leave out response.patch and response.patchType, or register the webhook as a mutating one.",
		}, leavesOutPatches),
		each(report.Check{
			ID: "C-PATCH-TYPE", Level: report.Must,
			Title: "sends patch and patchType together, and JSONPatch as the type",
			Why:   "In v1 a patch without a patchType, a patchType without a patch, or another type than JSONPatch is a failed call, and failurePolicy decides.",
			Fix:   "Set response.patchType to JSONPatch if there is a patch, and leave out both if there is none.",
		}, ifMutating(typesPatches)),
		each(report.Check{
			ID: "C-PATCH-DECODES", Level: report.Must,
			Title: "sends a JSON patch, in base64",
			Why:   "A patch that is not base64, or not a list of operations once it is decoded, is a failed call, and failurePolicy decides.",
			Fix:   "Make an array of RFC 6902 operations (not a merge patch, not the object) and encode it in base64. In Go, assign its bytes to AdmissionResponse.Patch: encoding/json does the rest.",
		}, ifMutating(encodesPatches)),
		each(report.Check{
			ID: "C-PATCH-APPLIES", Level: report.Must,
			Title: "sends patches that apply to the object that was sent",
			Why:   "A patch that does not apply refuses the request with HTTP 500, whatever failurePolicy says.",
			Fix:   "Compute the patch from request.object itself. Add a map or a list that is missing before adding to it, remove only what is there, and write “/” in a key as “~1”.",
		}, ifMutating(appliesPatches)),
	}
}

// patchesOnDelete are the checks of patches where nothing can be patched.
func patchesOnDelete() []check.Check {
	return []check.Check{
		each(report.Check{
			ID: "C-PATCH-ON-DELETE", Level: report.Must,
			Title: "sends no patch for a DELETE",
			Why:   "What is deleted cannot be changed: with a patch the DELETE is refused with HTTP 500, whatever failurePolicy says.",
			Fix:   "Answer a DELETE without a patch, or take it out of the rules of the webhook.",
		}, ifMutating(leavesDeletionsAlone)),
	}
}

func leavesOutPatches(w *probe.Webhook, r *check.Record) {
	if w.Phase != admission.Validating {
		r.Lacks(isMutating)
		return
	}
	for _, x := range read(w) {
		if x.Review.Version() != probe.V1 {
			continue
		}
		r.Saw()
		switch {
		case len(x.Answer.Patch) > 0:
			r.Fail(x, "the answer of a validating webhook has a patch")
		case hasType(x.Answer):
			r.Fail(x, "the answer of a validating webhook has a patchType")
		}
	}
	r.Lacks("the webhook answered no review of v1 with HTTP 200, and nobody looks at its patches in v1beta1")
}

// hasType reports whether an answer has a patchType of whatever type.
func hasType(a *probe.Answer) bool { return a.Response["patchType"] != nil }

func typesPatches(w *probe.Webhook, r *check.Record) {
	for _, x := range read(w) {
		hasPatch, hasType := len(x.Answer.Patch) > 0, hasType(x.Answer)
		if x.Review.Version() != probe.V1 || !hasPatch && !hasType {
			continue
		}
		r.Saw()
		switch written := x.Answer.PatchType; {
		case !hasType:
			r.Fail(x, "the answer has a patch, but no patchType")
		case !hasPatch:
			r.Fail(x, "the answer has a patchType, but no patch")
		case written == nil:
			r.Fail(x, "the patchType is no string")
		case *written != string(admissionv1.PatchTypeJSONPatch):
			r.Fail(x, "the patchType is %q, not %q", *written, admissionv1.PatchTypeJSONPatch)
		}
	}
	r.Lacks("no answer to a review of v1 has a patch, and nobody looks at the patchType in v1beta1")
}

func encodesPatches(w *probe.Webhook, r *check.Record) {
	for _, x := range read(w) {
		if len(x.Answer.Patch) == 0 {
			continue
		}
		if err := x.Answer.PatchErr; err != nil {
			r.Fail(x, "the patch is not in base64: %v", err)
			continue
		}
		if x.Answer.Refuses() {
			continue // nobody decodes it
		}
		r.Saw()
		if _, err := jsonpatch.DecodePatch(x.Answer.Patch); err != nil {
			r.Fail(x, "the patch is no JSON patch: %v", err)
		}
	}
	r.Lacks(noPatch)
}

// patched returns the exchanges in which there is something to apply, and something that
// it is to be applied to.
func patched(w *probe.Webhook) []*probe.Exchange {
	var all []*probe.Exchange
	for _, x := range read(w) {
		if x.Object() != nil && operations(x) > 0 {
			all = append(all, x)
		}
	}
	return all
}

// operations returns how many of them kube-apiserver would apply.
func operations(x *probe.Exchange) int {
	if x.Answer.Refuses() {
		return 0
	}
	decoded, err := jsonpatch.DecodePatch(x.Answer.Patch)
	if err != nil {
		return 0
	}
	return len(decoded)
}

func appliesPatches(w *probe.Webhook, r *check.Record) {
	for _, x := range patched(w) {
		r.Saw()
		if _, err := x.Patched(); err != nil {
			r.Fail(x, "%v", err)
		}
	}
	r.Lacks(noPatch)
}

func leavesDeletionsAlone(w *probe.Webhook, r *check.Record) {
	for _, x := range read(w) {
		if x.Review.Operation() != string(admissionv1.Delete) {
			continue
		}
		r.Saw()
		if operations(x) > 0 {
			r.Fail(x, "the answer to a DELETE has a patch")
		}
	}
	r.Lacks("the webhook answered no sample that is a DELETE with HTTP 200")
}
