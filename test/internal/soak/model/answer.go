package model

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
)

// Path returns the path under which a webhook is called at a revision.
func Path(phase admission.Phase, role string, revision int64) string {
	return fmt.Sprintf("/%v/%s/%d", phase, role, revision)
}

// Called returns which webhook is called under a path, and at which revision.
// It panics if no Draft has such a webhook.
func Called(path string) (phase admission.Phase, role string, revision int64) {
	phase = admission.Mutating
	kind, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if kind != phase.String() {
		phase = admission.Validating
	}
	role, number, _ := strings.Cut(rest, "/")
	revision, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		panic(fmt.Sprintf("model: no webhook has the path %q", path))
	}
	return phase, role, revision
}

// verdict is the decision of a webhook without a fault.
type verdict int

const (
	yes verdict = iota
	patch
	no
)

// verdictOn returns a webhook's verdict on a request at a revision. It is a
// pure function, so that the webhook and the model agree.
func verdictOn(phase admission.Phase, revision int64, r Request) verdict {
	switch h := (uint64(revision)*0x9e3779b97f4a7c15 ^ uint64(r.Number)*0xc2b2ae3d27d4eb4f) >> 40; {
	case h%16 == 0:
		return no
	case h%2 == 0 && phase == admission.Mutating:
		return patch
	default:
		return yes
	}
}

// revisionKey begins the key of the audit annotation in which webhooks say at
// which revision they were called, and for what.
const revisionKey = "revision-"

// again is the role whose patches depend on how many labels it has seen, so
// that they show what was patched before.
const again = "again"

// patched returns the value that a webhook patches.
func patched(role string, revision int64, labels int) string {
	said := strconv.FormatInt(revision, 10)
	if role == again {
		said += "-" + strconv.Itoa(labels)
	}
	return said
}

// Answer returns the response of the webhook with the path to a review of the
// n-th request.
func Answer(path string, number int64, v *Review) *admissionv1.AdmissionResponse {
	phase, role, revision := Called(path)
	said := strconv.FormatInt(revision, 10)
	response := &admissionv1.AdmissionResponse{Allowed: true,
		AuditAnnotations: map[string]string{revisionKey + said: v.text()}}
	switch verdictOn(phase, revision, Request{Number: number}) {
	case no:
		response.Allowed = false
		response.Result = &metav1.Status{Code: http.StatusForbidden,
			Message: role + " says no at " + said}
	case patch:
		if v.Object == nil {
			break // there is nothing to patch
		}
		at := "/metadata/labels/" + role
		if v.SubResource != "" {
			at = "/container"
		}
		response.PatchType = new(admissionv1.PatchTypeJSONPatch)
		response.Patch = fmt.Appendf(nil, `[{"op":"add","path":%q,"value":%q}]`, at,
			patched(role, revision, len(v.Object.Metadata.Labels)))
	}
	return response
}
