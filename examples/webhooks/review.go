package webhooks

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// decode decodes a review. Reviews of v1beta1 have the same fields as those of
// v1, so one type serves both; the response must have the version of the
// request.
//
// It ignores unknown fields, because a newer server may send some.
func decode(body []byte) (*admissionv1.AdmissionReview, error) {
	review := &admissionv1.AdmissionReview{}
	if err := json.Unmarshal(body, review); err != nil {
		return nil, err
	}
	return review, check(review)
}

// check returns an error unless the configuration permits the review.
func check(review *admissionv1.AdmissionReview) error {
	switch review.GroupVersionKind() {
	case admissionv1.SchemeGroupVersion.WithKind("AdmissionReview"):
	case admissionv1beta1.SchemeGroupVersion.WithKind("AdmissionReview"):
	default:
		return fmt.Errorf("it is %q of %q: want an AdmissionReview of v1 or v1beta1", review.Kind,
			review.APIVersion)
	}
	if review.Request == nil {
		return errors.New("it has no request")
	}
	return nil
}

// question is a request with its decoded objects. Every pointer may be nil: a
// CREATE has no old object, a DELETE no new one, and a CONNECT has the options
// of a connection.
type question struct {
	*admissionv1.AdmissionRequest
	pod, old *corev1.Pod
	exec     *corev1.PodExecOptions
}

// isDryRun reports whether the request is a dry run, which must have no side
// effects.
func (q *question) isDryRun() bool { return q.DryRun != nil && *q.DryRun }

// look decodes the objects of a request.
func look(request *admissionv1.AdmissionRequest) (*question, error) {
	q := &question{AdmissionRequest: request}
	var object, oldObject any
	switch request.Kind {
	case metav1.GroupVersionKind{Version: "v1", Kind: "Pod"}:
		object, oldObject = &q.pod, &q.old
	case metav1.GroupVersionKind{Version: "v1", Kind: "PodExecOptions"}:
		object = &q.exec
	default:
		return nil, fmt.Errorf("it is about a %s: want a Pod or PodExecOptions", request.Kind)
	}
	if err := unmarshal(request.Object.Raw, object); err != nil {
		return nil, fmt.Errorf("reading object: %w", err)
	}
	if err := unmarshal(request.OldObject.Raw, oldObject); err != nil {
		return nil, fmt.Errorf("reading oldObject: %w", err)
	}
	return q, nil
}

// unmarshal decodes an object, if there is one.
func unmarshal(raw []byte, object any) error {
	if len(raw) == 0 || object == nil {
		return nil
	}
	return json.Unmarshal(raw, object) // null sets a pointer to nil
}

// encode encodes a review.
func encode(review *admissionv1.AdmissionReview) ([]byte, error) {
	body, err := json.Marshal(review)
	if err != nil {
		return nil, fmt.Errorf("encoding the answer: %w", err)
	}
	return body, nil
}

// send sends a review. The status is 200 for any verdict: kube-apiserver takes
// another one for a failed call.
func send(w http.ResponseWriter, _ *admissionv1.AdmissionResponse, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body) // fails only if the client is gone
}
