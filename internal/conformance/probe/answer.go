package probe

import (
	"encoding/base64"
	"encoding/json"
	"errors"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Answer is an AdmissionReview with a response, decoded field by field. A field
// of the wrong type counts as absent.
type Answer struct {
	// APIVersion, Kind and UID are as the webhook wrote them.
	APIVersion, Kind, UID string
	// Allowed is nil if the field is absent.
	Allowed *bool
	// Code, Reason and Message are the fields of the status.
	Code            int64
	Reason, Message string
	// Patch is the patch, decoded from base64 where possible; nil if there is
	// none. PatchErr is the decoding error.
	Patch    []byte
	PatchErr error
	// PatchType is nil if the field is absent.
	PatchType *string
	// Warnings and AuditAnnotations are as the webhook wrote them.
	Warnings         []string
	AuditAnnotations map[string]string

	// Response is the response as the webhook wrote it.
	Response map[string]any
}

// IsAllowed reports whether the response admits the request. An absent field
// does not.
func (a *Answer) IsAllowed() bool { return a.Allowed != nil && *a.Allowed }

// Denies reports whether allowed is false. kube-apiserver never decodes the
// patch of a denial.
func (a *Answer) Denies() bool { return a.Allowed != nil && !*a.Allowed }

// parse decodes a response body. It returns nil if the body has no response.
func parse(body []byte) *Answer {
	var all map[string]any
	if err := utiljson.Unmarshal(body, &all); err != nil {
		return nil
	}
	response, ok := all["response"].(map[string]any)
	if !ok {
		return nil
	}
	a := &Answer{Response: response}
	a.APIVersion, _ = all["apiVersion"].(string)
	a.Kind, _ = all["kind"].(string)
	a.UID, _ = response["uid"].(string)
	if allowed, ok := response["allowed"].(bool); ok {
		a.Allowed = &allowed
	}
	if patchType, ok := response["patchType"].(string); ok {
		a.PatchType = &patchType
	}
	if status, ok := response["status"].(map[string]any); ok {
		a.Code, _ = status["code"].(int64)
		a.Reason, _ = status["reason"].(string)
		a.Message, _ = status["message"].(string)
	}
	a.Patch, a.PatchErr = patchOf(response["patch"])
	warnings, _ := response["warnings"].([]any)
	for _, warning := range warnings {
		text, _ := warning.(string)
		a.Warnings = append(a.Warnings, text)
	}
	annotations, _ := response["auditAnnotations"].(map[string]any)
	a.AuditAnnotations = make(map[string]string, len(annotations))
	for key, value := range annotations {
		a.AuditAnnotations[key], _ = value.(string)
	}
	return a
}

// patchOf returns the decoded patch. A patch that is not base64, which the API
// requires, is returned as it is, with an error.
func patchOf(written any) ([]byte, error) {
	switch patch := written.(type) {
	case nil:
		return nil, nil
	case string:
		decoded, err := base64.StdEncoding.DecodeString(patch)
		if err != nil {
			return []byte(patch), err
		}
		return decoded, nil
	default:
		text, err := json.Marshal(patch)
		if err != nil {
			return nil, err
		}
		return text, errors.New("it is not a string")
	}
}
