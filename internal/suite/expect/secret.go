package expect

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
)

// hidden replaces secret values.
const hidden = "(hidden)"

// hide hides a value, but not its presence.
func hide(value json.RawMessage) string {
	if value == nil {
		return ""
	}
	return hidden
}

// newSecretFilter returns the filter of the secrets in a response; nil if there
// are none.
func newSecretFilter(r *admission.Response) *explain.SecretFilter {
	if r.Request == nil {
		return nil
	}
	kind := metav1.GroupVersionKind(r.Request.Kind)
	if r.Object != nil && explain.SecretPaths(kind) == nil {
		kind = metav1.GroupVersionKind(r.Object.GetObjectKind().GroupVersionKind())
	}
	if explain.SecretPaths(kind) == nil {
		return nil
	}
	var documents []json.RawMessage
	for _, object := range []runtime.Object{r.Request.OldObject, r.Request.Object, r.Object} {
		if object == nil {
			continue
		}
		if text, err := json.Marshal(object); err == nil {
			documents = append(documents, text)
		}
	}
	var operations []explain.Operation
	for i := range r.Calls {
		var patch []explain.Operation
		if json.Unmarshal(r.Calls[i].Patch, &patch) == nil {
			operations = append(operations, patch...)
		}
	}
	return explain.NewSecretFilter(kind, documents, operations...)
}

// safe returns a text of a webhook without secrets.
func (c *checker) safe(text string) string { return c.secrets().Text(text) }

// safeJSON is safe for a JSON value, which may be nil.
func (c *checker) safeJSON(value json.RawMessage) string { return c.safe(string(value)) }

// hides reports whether the value at a path is secret.
func (c *checker) hides(at explain.Path) bool { return c.secrets().Hides(at) }

// hidesPointer is hides for an encoded JSON pointer. Invalid pointers are
// hidden.
func (c *checker) hidesPointer(raw json.RawMessage) bool {
	path, err := explain.ParsePath(text(raw))
	return c.secrets() != nil && (err != nil || c.secrets().Hides(path))
}
