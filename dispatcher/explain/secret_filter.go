package explain

import (
	"encoding/json"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Veil hides what a Secret keeps secret, as explanations do, for those who tell people of
// a request in another way. The nil Veil hides nothing.
type SecretFilter struct {
	byPath pathRedactor
	texts *TextRedactor
}

// NewVeil returns a Veil for a request that is about objects of a kind: nil unless that is
// the kind of Secrets. What is hidden is what the objects hold, in any of their states, and
// what patches have put there meanwhile. None of it is changed.
func NewSecretFilter(kind metav1.GroupVersionKind, objects []json.RawMessage, patches ...Operation) *SecretFilter {
	if !isSecret(kind) {
		return nil
	}
	v := &SecretFilter{byPath: pathRedactor{paths: secretPaths()}}
	for _, object := range objects {
		v.byPath.document(&object)
	}
	v.byPath.patch(slices.Clone(patches))
	v.texts = newTextRedactor(v.byPath.values)
	return v
}

// Hides reports whether what is at a path must not be shown: it is secret, or has something
// in it that is.
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

// Text returns a text of a webhook without the secrets that it quotes.
func (f *SecretFilter) Text(text string) string {
	if f == nil {
		return text
	}
	return f.texts.Text(text)
}
