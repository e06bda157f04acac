package agnhost

import (
	"encoding/json"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func allow() *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{Allowed: true}
}

func deny(message string) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{Result: &metav1.Status{Message: message}}
}

// denyBecause sets the reason to a text, where other webhooks have a
// machine-readable word.
func denyBecause(reason metav1.StatusReason) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{Result: &metav1.Status{Reason: reason}}
}

// change is an operation of a JSON patch.
type change struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// allowWith allows the object with a change.
func allowWith(c change) *admissionv1.AdmissionResponse {
	patch, err := json.Marshal([]change{c})
	if err != nil {
		return deny(err.Error())
	}
	kind := admissionv1.PatchTypeJSONPatch
	return &admissionv1.AdmissionResponse{Allowed: true, Patch: patch, PatchType: &kind}
}

// of returns a denial if the request is for another resource, or nil.
func of(
	resource metav1.GroupVersionResource, r *admissionv1.AdmissionRequest,
) *admissionv1.AdmissionResponse {
	if r.Resource == resource {
		return nil
	}
	return deny(fmt.Sprintf("expect resource to be %s", resource))
}

// read returns an object, or how to refuse one that cannot be read.
func read[T any](raw []byte) (*T, *admissionv1.AdmissionResponse) {
	object := new(T)
	if err := json.Unmarshal(raw, object); err != nil {
		return nil, deny(err.Error())
	}
	return object, nil
}
