package shop

import (
	"encoding/json"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Answer is what a webhook says to a request.
type Answer func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse

// ServeHTTP implements http.Handler.
func (a Answer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil || review.Request == nil {
		http.Error(w, "not a review", http.StatusBadRequest)
		return
	}
	review.Response = a(review.Request)
	review.Response.UID = review.Request.UID
	review.Request = nil
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review)
}

// Deny returns a webhook that denies everything.
func Deny(message string) Answer {
	return func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		return &admissionv1.AdmissionResponse{Result: &metav1.Status{Message: message}}
	}
}

// patch returns a webhook that applies a JSON patch to everything.
func patch(text string) Answer {
	return func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		kind := admissionv1.PatchTypeJSONPatch
		return &admissionv1.AdmissionResponse{Allowed: true, Patch: []byte(text), PatchType: &kind}
	}
}

// Webhooks are those of manifests.yaml: orders have a priority, and no fewer than one
// item.
func Webhooks() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/mutate-shop-example-com-v1-order", patch(`[{"op": "add", "path": "/spec/priority", "value": "low"}]`))
	mux.Handle("/validate-shop-example-com-v1-order", Answer(func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		var order struct {
			Spec struct{ Items int }
		}
		if err := json.Unmarshal(r.Object.Raw, &order); err == nil && order.Spec.Items < 1 {
			return Deny("nothing is ordered")(r)
		}
		return &admissionv1.AdmissionResponse{Allowed: true}
	}))
	return mux
}
