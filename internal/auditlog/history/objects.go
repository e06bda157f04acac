package history

import (
	"encoding/json"

	"example.com/gatehouse/internal/auditlog"
)

// Objects makes the objects of requests for packages that need no explanation.
type Objects struct{ known *known }

// NewObjects returns an Objects with the built-in kinds.
func NewObjects() (*Objects, error) {
	k, err := newKnown()
	return &Objects{k}, err
}

// Defaulted returns an object with the defaults of its kind; false if the kind is not built
// in, so that its defaults are not known.
func (o *Objects) Defaulted(object json.RawMessage) (json.RawMessage, bool) {
	return o.known.defaulted(object)
}

// Patched returns the possible results of the patch of an event for the stored object, with
// the defaults of built-in kinds: two if the type of the patch matters, and none if the result
// depends on data that the log does not have. If the patch does not apply, it returns an error.
func (o *Objects) Patched(
	e *auditlog.Event, object json.RawMessage,
) (possible []json.RawMessage, err error) {
	patched, doubt, err := o.known.merged(stored{object, auditlog.KindOf(object)}, e)
	switch {
	case err != nil:
		return nil, err
	case doubt == "":
		return []json.RawMessage{o.defaulted(patched)}, nil
	case e.Applies():
		return nil, nil
	}
	possible = []json.RawMessage{o.defaulted(patched)}
	if other, err := mergePatch(object, e.RequestObject); err == nil {
		possible = append(possible, o.defaulted(other))
	}
	return possible, nil
}

// AfterCalls returns an object after the patches of an event's webhooks. It returns an error
// if one does not apply or is not in the log.
func (o *Objects) AfterCalls(e *auditlog.Event, object json.RawMessage) (json.RawMessage, error) {
	for i := range e.Calls {
		c := &e.Calls[i]
		if !c.Mutating || c.Patch == nil {
			continue
		}
		patched, err := o.known.patched(object, c.Patch)
		if err != nil {
			return nil, err
		}
		object = o.defaulted(patched)
	}
	return object, nil
}

func (o *Objects) defaulted(object json.RawMessage) json.RawMessage {
	if with, ok := o.known.defaulted(object); ok {
		return with
	}
	return object
}
