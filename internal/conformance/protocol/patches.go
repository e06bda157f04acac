package protocol

import (
	"slices"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

const noPatch = "no answer has a patch"

func leavesOutPatches(w *probe.Webhook, r *check.Record) {
	for _, x := range readAnswers(w) {
		if x.Review.Version() != probe.V1 {
			continue
		}
		r.Checked()
		switch {
		case len(x.Answer.Patch) > 0:
			r.Fail(x, "the answer of a validating webhook has a patch")
		case hasType(x.Answer):
			r.Fail(x, "the answer of a validating webhook has a patchType")
		}
	}
	r.Missing("the webhook answered no review of v1 with HTTP 200, and kube-apiserver ignores its patches in v1beta1")
}

// hasType reports whether an answer has a patchType of any type.
func hasType(a *probe.Answer) bool { return a.Response["patchType"] != nil }

func typesPatches(w *probe.Webhook, r *check.Record) {
	for _, x := range readAnswers(w) {
		hasPatch, hasType := len(x.Answer.Patch) > 0, hasType(x.Answer)
		if x.Review.Version() != probe.V1 || !hasPatch && !hasType {
			continue
		}
		r.Checked()
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
	r.Missing(
		"no answer to a review of v1 has a patch, and kube-apiserver ignores the patchType in v1beta1")
}

func encodesPatches(w *probe.Webhook, r *check.Record) {
	for _, x := range readAnswers(w) {
		if len(x.Answer.Patch) == 0 {
			continue
		}
		if err := x.Answer.PatchErr; err != nil {
			r.Fail(x, "the patch is not in base64: %v", err)
			continue
		}
		if x.Answer.Denies() {
			continue // kube-apiserver does not decode it
		}
		r.Checked()
		if _, err := jsonpatch.DecodePatch(x.Answer.Patch); err != nil {
			r.Fail(x, "the patch is no JSON patch: %v", err)
		}
	}
	r.Missing(noPatch)
}

// patched returns the exchanges with an object and a patch to apply to it.
func patched(w *probe.Webhook) []*probe.Exchange {
	return slices.DeleteFunc(readAnswers(w),
		func(x *probe.Exchange) bool { return x.Object() == nil || operations(x) == 0 })
}

// operations returns the number of operations that kube-apiserver would apply.
func operations(x *probe.Exchange) int {
	if x.Answer.Denies() {
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
		r.Checked()
		if _, err := x.Patched(); err != nil {
			r.Fail(x, "%v", err)
		}
	}
	r.Missing(noPatch)
}

func leavesDeletionsAlone(w *probe.Webhook, r *check.Record) {
	for _, x := range readAnswers(w) {
		if x.Review.Operation() != string(admissionv1.Delete) {
			continue
		}
		r.Checked()
		if operations(x) > 0 {
			r.Fail(x, "the answer to a DELETE has a patch")
		}
	}
	r.Missing("the webhook answered no sample that is a DELETE with HTTP 200")
}
