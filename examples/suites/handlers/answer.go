package handlers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// answer is what a webhook has to say. The zero answer allows the request as it is.
type answer struct {
	// denials are the reasons to deny the request. All of them are told at once, so that
	// nobody finds them one after the other.
	denials []string
	// warnings are shown to whoever asks, also if the request is denied.
	warnings []string
	// audit is for the audit log. The API server puts the webhook's name before the keys.
	audit map[string]string
	// patch changes the object, operation by operation.
	patch []operation
}

// operation is one of a JSON patch (RFC 6902). All of ours add, which also replaces.
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// set puts a value at a path.
func (a *answer) set(path string, value any) {
	a.patch = append(a.patch, operation{"add", path, value})
}

// insert puts a value into a list that has n items so far, at a place such as "0", or "-"
// for the end. A list without items need not be there at all.
func (a *answer) insert(list string, n int, place string, value any) {
	if n == 0 {
		a.set(list, []any{value})
		return
	}
	a.set(list+"/"+place, value)
}

func (a *answer) deny(format string, values ...any) {
	a.denials = append(a.denials, fmt.Sprintf(format, values...))
}

func (a *answer) warn(format string, values ...any) {
	a.warnings = append(a.warnings, fmt.Sprintf(format, values...))
}

// response says the answer in the words of the API.
func (a *answer) response(uid types.UID) (*admissionv1.AdmissionResponse, error) {
	response := &admissionv1.AdmissionResponse{
		UID:              uid,
		Allowed:          len(a.denials) == 0,
		Warnings:         a.warnings,
		AuditAnnotations: a.audit,
	}
	if !response.Allowed {
		response.Result = &metav1.Status{
			Code:    http.StatusForbidden,
			Reason:  metav1.StatusReasonForbidden,
			Message: strings.Join(a.denials, "; "),
		}
	}
	if len(a.patch) == 0 {
		return response, nil
	}
	patch, err := json.Marshal(a.patch)
	if err != nil {
		return nil, fmt.Errorf("encoding the patch: %w", err)
	}
	response.Patch, response.PatchType = patch, new(admissionv1.PatchTypeJSONPatch)
	return response, nil
}
