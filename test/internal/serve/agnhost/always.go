package agnhost

import (
	"context"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// delay is how long /always-allow-delay-5s takes.
const delay = 5 * time.Second

// denyAll is A-01.
func denyAll(context.Context, *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	return deny("this webhook denies all requests")
}

// allowLate is A-02. It has a message, although it allows.
func allowLate(
	ctx context.Context, _ *admissionv1.AdmissionRequest,
) *admissionv1.AdmissionResponse {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return &admissionv1.AdmissionResponse{Allowed: true,
		Result: &metav1.Status{Message: "this webhook allows all requests"}}
}
