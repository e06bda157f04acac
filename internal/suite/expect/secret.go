package expect

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/dispatcher/explain"
)

// hidden stands where a value is that must not be shown.
const hidden = "(hidden)"

// hide hides a value, but not that there is one.
func hide(value json.RawMessage) string {
	if value == nil {
		return ""
	}
	return hidden
}

// curtain is what hides secrets; without a veil there are none.
type curtain struct{ veil *explain.SecretFilter }

// veil is made for the first text that is to be shown: it reads all objects again.
func (c *checker) veil() *explain.SecretFilter {
	if c.curtain == nil {
		c.curtain = &curtain{c.newVeil()}
	}
	return c.curtain.veil
}

func (c *checker) newVeil() *explain.SecretFilter {
	r := c.response
	if r.Request == nil {
		return nil
	}
	kind := r.Request.Kind
	if r.Object != nil && !isSecret(kind.Group, kind.Kind) {
		kind = r.Object.GetObjectKind().GroupVersionKind()
	}
	if !isSecret(kind.Group, kind.Kind) {
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
	return explain.NewSecretFilter(metav1.GroupVersionKind(kind), documents, c.patched()...)
}

func isSecret(group, kind string) bool { return group == "" && kind == "Secret" }

// patched returns the operations of all patches, as package explain has them.
func (c *checker) patched() []explain.Operation {
	var all []explain.Operation
	for i := range c.response.Calls {
		var patch []explain.Operation
		if json.Unmarshal(c.response.Calls[i].Patch, &patch) == nil {
			all = append(all, patch...)
		}
	}
	return all
}

// safe returns what a webhook has said without the secrets that it quotes.
func (c *checker) safe(text string) string { return c.veil().Text(text) }

// safeJSON is safe for a value, of which nil is none.
func (c *checker) safeJSON(value json.RawMessage) string { return c.safe(string(value)) }

// hides reports whether what is at a path must not be shown.
func (c *checker) hides(at explain.Path) bool { return c.veil().Hides(at) }

// hidesPointer is hides for a JSON pointer, in JSON. What cannot be placed is hidden.
func (c *checker) hidesPointer(raw json.RawMessage) bool {
	path, err := explain.ParsePath(text(raw))
	return c.veil() != nil && (err != nil || c.veil().Hides(path))
}
