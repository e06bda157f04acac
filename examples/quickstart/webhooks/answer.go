package webhooks

import (
	"encoding/json"
	"fmt"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// answer is a webhook's decision on a pod. The zero answer allows the pod
// unchanged.
type answer struct {
	// denial, if not empty, denies the pod with this reason.
	denial string
	// warnings are shown to the user, even if the pod is denied.
	warnings []string
	// patch lists the changes to the pod, in order.
	patch []operation
}

// operation is one operation of a JSON patch (RFC 6902).
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// add returns the operation that sets a value at a path. It replaces an
// existing value; a path that ends in "/-" appends to a list. The parent of the
// path must exist.
func add(path string, value any) operation {
	return operation{Op: "add", Path: path, Value: value}
}

// response converts the answer to an AdmissionResponse.
func (a answer) response(uid types.UID) (*admissionv1.AdmissionResponse, error) {
	response := &admissionv1.AdmissionResponse{UID: uid, Allowed: a.denial == "", Warnings: a.warnings}
	if !response.Allowed {
		response.Result = &metav1.Status{
			Code:    http.StatusForbidden,
			Reason:  metav1.StatusReasonForbidden,
			Message: a.denial,
		}
	}
	if len(a.patch) == 0 {
		return response, nil
	}
	patch, err := json.Marshal(a.patch)
	if err != nil {
		return nil, fmt.Errorf("encoding the patch: %w", err)
	}
	patchType := admissionv1.PatchTypeJSONPatch
	response.Patch, response.PatchType = patch, &patchType
	return response, nil
}
