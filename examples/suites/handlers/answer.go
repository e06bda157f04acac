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

// answer is a webhook's decision. The zero answer allows the request unchanged.
type answer struct {
	// denials are the reasons to deny the request. The user sees all of them at
	// once.
	denials []string
	// warnings are shown to the user, even if the request is denied.
	warnings []string
	// audit contains the audit annotations. The API server prefixes the keys
	// with the webhook's name.
	audit map[string]string
	// patch changes the object, operation by operation.
	patch []operation
}

// operation is one operation of a JSON patch (RFC 6902). All operations are
// "add", which also replaces.
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// set sets the value at a path.
func (a *answer) set(path string, value any) {
	a.patch = append(a.patch, operation{"add", path, value})
}

// insert adds a value to a list of n items, before an index such as "0", or at
// the end with "-". An empty list may be absent.
func (a *answer) insert(list string, n int, index string, value any) {
	if n == 0 {
		a.set(list, []any{value})
		return
	}
	a.set(list+"/"+index, value)
}

func (a *answer) deny(format string, values ...any) {
	a.denials = append(a.denials, fmt.Sprintf(format, values...))
}

func (a *answer) warn(format string, values ...any) {
	a.warnings = append(a.warnings, fmt.Sprintf(format, values...))
}

// response converts the answer to an AdmissionResponse.
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
