package main

import (
	"encoding/json"
	"fmt"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// maxBody exceeds what an API server sends: an object has at most 3 MiB, and a
// review contains at most two.
const maxBody = 8 << 20

// operation is one operation of a JSON patch (RFC 6902).
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// metadata is the part of any object that the webhooks read.
type metadata struct {
	Metadata metav1.ObjectMeta `json:"metadata"`
}

// webhook turns a decision function into an HTTP handler. The function receives
// a response that allows the request, and changes it. Reviews of v1 and v1beta1
// have the same fields; the response has the version of the request.
func webhook(decide func(*http.Request, *admissionv1.AdmissionRequest,
	*admissionv1.AdmissionResponse) error) http.Handler {
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
		_ = json.NewEncoder(w).Encode(review) // fails only if the client is gone
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

// setLabel patches a label into the object. It does nothing if the label is
// set, because a webhook may be called twice.
func setLabel(request *admissionv1.AdmissionRequest, response *admissionv1.AdmissionResponse,
	key, value string) error {
	if len(request.Object.Raw) == 0 {
		return nil // a DELETE has no new object
	}
	var object metadata
	if err := json.Unmarshal(request.Object.Raw, &object); err != nil {
		return fmt.Errorf("reading the object: %w", err)
	}
	switch got, ok := object.Metadata.Labels[key]; {
	case ok && got == value:
		return nil
	case len(object.Metadata.Labels) == 0: // the map may not exist
		return patch(response, operation{"add", "/metadata/labels", map[string]string{key: value}})
	}
	return patch(response, operation{"add", "/metadata/labels/" + key, value})
}
