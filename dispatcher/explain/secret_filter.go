package explain

import (
	"encoding/json"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// SecretFilter redacts the credentials in an object as explanations do, for callers
// that report on a request in another form. The nil SecretFilter redacts
// nothing.
type SecretFilter struct {
	byPath pathRedactor
	texts  *TextRedactor
}

// NewSecretFilter returns a SecretFilter for a request for objects of the kind;
// nil unless it has SecretPaths. It redacts their values in any state of the object
// and in the values of patches. The arguments are not changed.
func NewSecretFilter(
	kind metav1.GroupVersionKind, objects []json.RawMessage, patches ...Operation,
) *SecretFilter {
	paths := SecretPaths(kind)
	if paths == nil {
		return nil
	}
	v := &SecretFilter{byPath: pathRedactor{paths: paths}}
	for _, object := range objects {
		v.byPath.valueAt("", &object)
	}
	v.byPath.patch(slices.Clone(patches))
	v.texts = NewTextRedactor(v.byPath.values)
	return v
}

// Hides reports whether the value at a path must not be shown: because the path
// is secret, or because a part of the value is.
func (f *SecretFilter) Hides(at Path) bool {
	if f == nil {
		return false
	}
	for _, secret := range f.byPath.paths {
		if secret.Covers(at) || at.Covers(secret) {
			return true
		}
	}
	return false
}

// Text returns the text of a webhook with the secret values replaced.
func (f *SecretFilter) Text(text string) string {
	if f == nil {
		return text
	}
	return f.texts.Text(text)
}
