package explain

import (
	"encoding/json"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Veil hides what a Secret keeps secret, as explanations do, for those who tell people of
// a request in another way. The nil Veil hides nothing.
type Veil struct {
	redactor redactor
	scrubber *scrubber
}

// NewVeil returns a Veil for a request that is about objects of a kind: nil unless that is
// the kind of Secrets. What is hidden is what the objects hold, in any of their states, and
// what patches have put there meanwhile. None of it is changed.
func NewVeil(kind metav1.GroupVersionKind, objects []json.RawMessage, patches ...Operation) *Veil {
	if !isSecret(kind) {
		return nil
	}
	v := &Veil{redactor: redactor{paths: secretPaths()}}
	for _, object := range objects {
		v.redactor.document(&object)
	}
	v.redactor.patch(slices.Clone(patches))
	v.scrubber = newScrubber(v.redactor.values)
	return v
}

// Hides reports whether what is at a path must not be shown: it is secret, or has something
// in it that is.
func (v *Veil) Hides(at Path) bool {
	if v == nil {
		return false
	}
	for _, secret := range v.redactor.paths {
		if secret.Covers(at) || at.Covers(secret) {
			return true
		}
	}
	return false
}

// Text returns a text of a webhook without the secrets that it quotes.
func (v *Veil) Text(text string) string {
	if v == nil {
		return text
	}
	return v.scrubber.text(text)
}
