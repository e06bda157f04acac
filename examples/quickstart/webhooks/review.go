package webhooks

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// maxBody exceeds what an API server sends: an object has at most 3 MiB, and a
// review contains at most two.
const maxBody = 8 << 20

// readReview reads and checks the AdmissionReview in the body. The returned
// review has a request.
//
// It reads the body to its end, because only then does net/http detect that the
// client disconnects.
func readReview(w http.ResponseWriter, r *http.Request) (*admissionv1.AdmissionReview, error) {
	if r.Method != http.MethodPost {
		return nil, fmt.Errorf("the method is %s, want POST", r.Method)
	}
	contentType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || contentType != "application/json" {
		return nil, fmt.Errorf("the content type is %q, want application/json",
			r.Header.Get("Content-Type"))
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return nil, fmt.Errorf("reading the body: %w", err)
	}
	review := &admissionv1.AdmissionReview{}
	if err := json.Unmarshal(body, review); err != nil {
		return nil, fmt.Errorf("decoding the body: %w", err)
	}
	want := admissionv1.SchemeGroupVersion.WithKind("AdmissionReview")
	if review.GroupVersionKind() != want {
		return nil, fmt.Errorf("the body is %q, want %q", review.GroupVersionKind(), want)
	}
	if review.Request == nil {
		return nil, errors.New("the review has no request")
	}
	return review, nil
}

// podOf returns the new object, or nil if there is none.
func podOf(request *admissionv1.AdmissionRequest) (*corev1.Pod, error) {
	if len(request.Object.Raw) == 0 {
		return nil, nil
	}
	if want := (metav1.GroupVersionKind{Version: "v1", Kind: "Pod"}); request.Kind != want {
		return nil, fmt.Errorf("the kind is %q, want %q", request.Kind, want)
	}
	pod := &corev1.Pod{}
	if err := json.Unmarshal(request.Object.Raw, pod); err != nil {
		return nil, fmt.Errorf("decoding a pod: %w", err)
	}
	return pod, nil
}

// writeReview responds to the review. The API server checks that the response
// repeats apiVersion, kind and uid.
func writeReview(w http.ResponseWriter, review *admissionv1.AdmissionReview, a answer) {
	response, err := a.response(review.Request.UID)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	body, err := json.Marshal(
		admissionv1.AdmissionReview{TypeMeta: review.TypeMeta, Response: response})
	if err != nil {
		http.Error(w, fmt.Sprintf("encoding the answer: %v", err), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body) // fails only if the client is gone
}
