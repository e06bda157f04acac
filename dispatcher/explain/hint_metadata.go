package explain

import (
	"encoding/json"
	"strings"
)

// objectMetadata is the part of an object that hints use.
type objectMetadata struct {
	// Metadata is nil if the object has none, as the options of a CONNECT.
	Metadata *struct {
		Labels, Annotations map[string]string
	}
	Spec struct {
		Template struct {
			Metadata struct{ Labels map[string]string }
		}
	}
	// problem says why a part of the object cannot be read; nil if all can.
	problem error
}

// readMetadata returns nil if there is no object.
func readMetadata(raw json.RawMessage) *objectMetadata {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	o := &objectMetadata{}
	o.problem = json.Unmarshal(raw, o)
	return o
}

// object returns the metadata of the object that was sent; nil if there is
// none.
func (a *analyzer) object() *objectMetadata {
	if a.sent == nil {
		a.sent = readMetadata(a.e.Request.Object)
	}
	return a.sent
}

// finalObject returns the metadata of the final object; nil if there is none.
func (a *analyzer) finalObject() *objectMetadata {
	if a.final == nil {
		a.final = readMetadata(a.e.Object)
	}
	return a.final
}

// changesLabels reports whether a call may have changed the object's labels.
func (c *Call) changesLabels() bool {
	changes := c.Mutated && len(c.Patch) == 0
	for i := range c.Patch {
		op := &c.Patch[i]
		changes = changes || c.Mutated && op.Op != "test" &&
			(touchesLabels(op.Path) || op.Op == "move" && touchesLabels(op.From))
	}
	return changes
}

func touchesLabels(pointer string) bool {
	return pointer == "" || pointer == "/metadata" || pointer == "/metadata/labels" ||
		strings.HasPrefix(pointer, "/metadata/labels/")
}
