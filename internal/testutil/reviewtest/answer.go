package reviewtest

import (
	"encoding/json"
	"fmt"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
)

// Answer is what a webhook says to a request. It returns a response of its own each time,
// whose UID need not be set, and never nil.
type Answer func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse

// ServeHTTP implements http.Handler.
func (a Answer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil || review.Request == nil {
		http.Error(w, fmt.Sprint("no review: ", err), http.StatusBadRequest)
		return
	}
	review.Response = a(review.Request)
	review.Response.UID, review.Request = review.Request.UID, nil
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review) // the client would tell
}

// Allow admits everything. It is the Answer of most webhooks that are only asked.
func Allow(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{Allowed: true}
}
