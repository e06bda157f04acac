package review

import (
	"errors"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/admission"
)

// Response is the response of a webhook, in either version.
type Response struct {
	Allowed bool
	// Result is the webhook's reason for a denial; it may be nil.
	Result           *metav1.Status
	Patch            []byte
	PatchType        admissionv1.PatchType
	Warnings         []string
	AuditAnnotations map[string]string
}

var errNoResponse = errors.New("webhook response was absent")

// Verify checks a decoded review and returns its response. uid is the uid of
// the review that the engine sent.
func Verify(uid types.UID, phase admission.Phase, r runtime.Object) (*Response, error) {
	switch r := r.(type) {
	case *admissionv1.AdmissionReview:
		return verifyV1(uid, phase, r)
	case *admissionv1beta1.AdmissionReview:
		return verifyV1beta1(phase, r)
	default:
		return nil, fmt.Errorf("unexpected response type %T", r)
	}
}

func verifyV1(
	uid types.UID, phase admission.Phase, r *admissionv1.AdmissionReview,
) (*Response, error) {
	if r.Response == nil {
		return nil, errNoResponse
	}
	if r.Response.UID != uid {
		return nil, fmt.Errorf("expected response.uid=%q, got %q", uid, r.Response.UID)
	}
	want := admissionv1.SchemeGroupVersion.WithKind("AdmissionReview")
	if got := r.GroupVersionKind(); got != want {
		return nil, fmt.Errorf("expected webhook response of %v, got %v",
			want.String(), got.String())
	}
	patchType, err := patchTypeV1(phase, r.Response)
	if err != nil {
		return nil, err
	}
	return &Response{
		Allowed:          r.Response.Allowed,
		Result:           r.Response.Result,
		Patch:            r.Response.Patch,
		PatchType:        patchType,
		Warnings:         r.Response.Warnings,
		AuditAnnotations: r.Response.AuditAnnotations,
	}, nil
}

// patchTypeV1 checks that a response has both patch and patchType or neither,
// and neither when validating (S-220).
func patchTypeV1(
	phase admission.Phase, r *admissionv1.AdmissionResponse,
) (admissionv1.PatchType, error) {
	hasPatch, hasType := len(r.Patch) > 0, r.PatchType != nil
	switch {
	case phase == admission.Validating && hasPatch:
		return "", errors.New("validating webhook may not return response.patch")
	case phase == admission.Validating && hasType:
		return "", errors.New("validating webhook may not return response.patchType")
	case hasPatch && !hasType:
		return "", errors.New("webhook returned response.patch but not response.patchType")
	case hasType && !hasPatch:
		return "", errors.New("webhook returned response.patchType but not response.patch")
	case hasType && *r.PatchType == "":
		return "", fmt.Errorf("webhook returned invalid response.patchType of %q", *r.PatchType)
	case hasType:
		return *r.PatchType, nil
	default:
		return "", nil
	}
}

// verifyV1beta1 returns the response of a review of v1beta1.
//
// Compat: S-222: it checks neither uid nor kind nor patchType, and ignores the
// patch of a validating webhook.
func verifyV1beta1(phase admission.Phase, r *admissionv1beta1.AdmissionReview) (*Response, error) {
	if r.Response == nil {
		return nil, errNoResponse
	}
	answer := &Response{
		Allowed:          r.Response.Allowed,
		Result:           r.Response.Result,
		Warnings:         r.Response.Warnings,
		AuditAnnotations: r.Response.AuditAnnotations,
	}
	if phase == admission.Mutating && len(r.Response.Patch) > 0 {
		answer.Patch = r.Response.Patch
		answer.PatchType = admissionv1.PatchTypeJSONPatch
	}
	return answer, nil
}
