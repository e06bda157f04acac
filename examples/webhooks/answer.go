package webhooks

import (
	"encoding/json"
	"fmt"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// verdict is a webhook's decision. The zero verdict allows the request
// unchanged.
type verdict struct {
	// denial is the reason to deny the request; empty if it is allowed.
	denial string
	// warnings are shown to the user, even if the request is denied.
	warnings []string
	// annotations go to the audit log, even if the request is denied. The API
	// server prefixes the keys with the webhook's name, so they are short and
	// have no slash.
	annotations map[string]string
	// patch changes the object.
	patch []operation
}

// operation is one operation of a JSON patch (RFC 6902).
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// add sets the value at a path, whose parent must exist. A path that ends in
// "-" appends to a list.
func add(path string, value any) operation {
	return operation{Op: "add", Path: path, Value: value}
}

// answer converts a verdict to an AdmissionResponse.
func answer(q *question, v *verdict) (*admissionv1.AdmissionResponse, error) {
	response := &admissionv1.AdmissionResponse{
		UID:              q.UID,
		Allowed:          v.denial == "",
		Warnings:         v.warnings,
		AuditAnnotations: v.annotations,
	}
	if v.denial != "" {
		response.Result = &metav1.Status{
			Status:  metav1.StatusFailure,
			Code:    http.StatusForbidden,
			Reason:  metav1.StatusReasonForbidden,
			Message: v.denial,
		}
	}
	if len(v.patch) == 0 {
		return response, nil
	}
	patch, err := json.Marshal(v.patch)
	if err != nil {
		return nil, fmt.Errorf("encoding the patch: %w", err)
	}
	response.Patch, response.PatchType = patch, new(admissionv1.PatchTypeJSONPatch)
	return response, nil
}
