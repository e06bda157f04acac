package main

import (
	"encoding/json"
	"fmt"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// maxBody is more than an API server sends: it limits an object to 3 MiB, and a review
// holds at most two.
const maxBody = 8 << 20

// operation is one operation of a JSON patch (RFC 6902).
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// metadata is what the webhooks read of an object, of whatever kind it is.
type metadata struct {
	Metadata metav1.ObjectMeta `json:"metadata"`
}

// webhook turns a function that answers a request into an HTTP handler. The function
// gets the response for "allowed, with nothing to say" and says what is different. Reviews
// of v1 and v1beta1 have the same fields; the answer is of the version of the question.
func webhook(decide func(*http.Request, *admissionv1.AdmissionRequest, *admissionv1.AdmissionResponse) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review admissionv1.AdmissionReview
		err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&review)
		if err != nil || review.Request == nil {
			http.Error(w, fmt.Sprintf("this is no review: %v", err), http.StatusBadRequest)
			return
		}
		response := &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
		if err := decide(r, review.Request, response); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		review.Request, review.Response = nil, response
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(review) // fails only when the client has gone
	})
}

// patch puts a JSON patch into the response.
func patch(response *admissionv1.AdmissionResponse, operations ...operation) error {
	text, err := json.Marshal(operations)
	if err != nil {
		return fmt.Errorf("encoding the patch: %w", err)
	}
	patchType := admissionv1.PatchTypeJSONPatch
	response.Patch, response.PatchType = text, &patchType
	return nil
}

// setLabel patches a label into the object. Nothing is to be done if it is there: a
// webhook that may be called twice has to be content the second time.
func setLabel(request *admissionv1.AdmissionRequest, response *admissionv1.AdmissionResponse, key, value string) error {
	if len(request.Object.Raw) == 0 {
		return nil // what is deleted cannot be changed
	}
	var object metadata
	if err := json.Unmarshal(request.Object.Raw, &object); err != nil {
		return fmt.Errorf("reading the object: %w", err)
	}
	switch got, ok := object.Metadata.Labels[key]; {
	case ok && got == value:
		return nil
	case len(object.Metadata.Labels) == 0: // there may be no map to add to
		return patch(response, operation{"add", "/metadata/labels", map[string]string{key: value}})
	}
	return patch(response, operation{"add", "/metadata/labels/" + key, value})
}
