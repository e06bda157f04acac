package shop

import (
	"encoding/json"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/reviewtest"
)

// Deny returns a webhook that denies everything.
func Deny(message string) reviewtest.Answer {
	return func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		return &admissionv1.AdmissionResponse{Result: &metav1.Status{Message: message}}
	}
}

// patch returns a webhook that applies a JSON patch to everything.
func patch(text string) reviewtest.Answer {
	return func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		kind := admissionv1.PatchTypeJSONPatch
		return &admissionv1.AdmissionResponse{Allowed: true, Patch: []byte(text), PatchType: &kind}
	}
}

// Webhooks are those of manifests.yaml: orders have a priority, and no fewer
// than one item.
func Webhooks() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/mutate-shop-example-com-v1-order",
		patch(`[{"op": "add", "path": "/spec/priority", "value": "low"}]`))
	mux.Handle("/validate-shop-example-com-v1-order",
		reviewtest.Answer(func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
			var order struct {
				Spec struct{ Items int }
			}
			if err := json.Unmarshal(r.Object.Raw, &order); err == nil && order.Spec.Items < 1 {
				return Deny("nothing is ordered")(r)
			}
			return reviewtest.Allow(r)
		}))
	return mux
}
