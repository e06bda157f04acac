package probe

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// The versions of AdmissionReview.
const (
	V1      = "admission.k8s.io/v1"
	V1beta1 = "admission.k8s.io/v1beta1"
)

// Review is an AdmissionReview that a check may change before sending it.
// Numbers are int64 or float64.
type Review map[string]any

// Review returns a copy of the review that the dispatcher sends.
func (v *Visit) Review() Review {
	var r Review
	if err := utiljson.Unmarshal(v.Body, (*map[string]any)(&r)); err != nil {
		panic(fmt.Sprintf("the engine's own review is not JSON: %v", err))
	}
	return r
}

// As sets apiVersion.
func (r Review) As(version string) Review {
	r["apiVersion"] = version
	return r
}

// Version returns apiVersion.
func (r Review) Version() string { return r.text("apiVersion") }

// Kind returns the kind, which is AdmissionReview.
func (r Review) Kind() string { return r.text("kind") }

// UID returns the uid of the request.
func (r Review) UID() string { return r.text("request", "uid") }

// Operation returns the operation of the request.
func (r Review) Operation() string { return r.text("request", "operation") }

// Subresource returns the subresource of the request; empty if there is none.
func (r Review) Subresource() string { return r.text("request", "subResource") }

// Object returns the new object; nil if there is none.
func (r Review) Object() map[string]any { return r.object("object") }

// OldObject returns the stored object; nil if there is none.
func (r Review) OldObject() map[string]any { return r.object("oldObject") }

func (r Review) object(field string) map[string]any {
	object, _, err := unstructured.NestedMap(r, "request", field)
	if err != nil {
		return nil
	}
	return object
}

// Set sets a field of the request, such as object or dryRun.
func (r Review) Set(field string, value any) Review {
	if request, ok := r["request"].(map[string]any); ok {
		request[field] = value
	}
	return r
}

// SetObject sets a field of the new object, if there is one.
func (r Review) SetObject(value any, fields ...string) Review {
	request, ok := r["request"].(map[string]any)
	if !ok {
		return r
	}
	if object, ok := request["object"].(map[string]any); ok {
		// If a parent is no map, there is an error, and Set sets nothing.
		_ = unstructured.SetNestedField(object, value, fields...)
	}
	return r
}

// Bytes returns the review as it is sent.
func (r Review) Bytes() []byte {
	body, err := json.Marshal(r)
	if err != nil {
		panic(fmt.Sprintf("a review that was JSON is none any more: %v", err))
	}
	return body
}

func (r Review) text(fields ...string) string {
	text, _, err := unstructured.NestedString(r, fields...)
	if err != nil {
		return ""
	}
	return text
}
