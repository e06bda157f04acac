package webhooks

import (
	"encoding/json"
	"fmt"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// verdict is what a webhook makes of a request. The zero verdict allows it as it is.
type verdict struct {
	// denial says why the request is denied; empty if it is allowed.
	denial string
	// warnings are shown to the user, in any case.
	warnings []string
	// annotations go into the audit log, in any case. The webhook's name is put before
	// their keys, so that these are short and have no slash.
	annotations map[string]string
	// patch changes the object that is admitted.
	patch []operation
}

// operation is one step of a JSON patch (RFC 6902).
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// add puts a value at a path. What the path leads to must be there, but for its end. An
// end of "-" appends to a list.
func add(path string, value any) operation {
	return operation{Op: "add", Path: path, Value: value}
}

// answer says a verdict in the words of the API.
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
