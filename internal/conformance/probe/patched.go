package probe

import (
	"encoding/json"
	"errors"
	"fmt"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/engine/patch"
)

// errNothing says that there is nothing that a patch could be applied to.
var errNothing = errors.New("there is no object to patch")

// Patched returns the object that was sent as the patch of the Answer leaves it: as JSON,
// without defaults, with fields that the kind does not have. It is the object itself if
// there is no patch. The error says that there was no object or no Answer, or that the
// patch is none or does not apply.
func (x *Exchange) Patched() (json.RawMessage, error) {
	if x.patched == nil {
		object, err := x.apply()
		x.patched = &patched{object, err}
	}
	return x.patched.object, x.patched.err
}

// patched is what a patch makes of an object.
type patched struct {
	object json.RawMessage
	err    error
}

func (x *Exchange) apply() (json.RawMessage, error) {
	object := x.Object()
	switch {
	case x.Answer == nil:
		return nil, errors.New("there is no answer")
	case object == nil:
		return nil, errNothing
	case len(x.Answer.Patch) == 0:
		return object, nil
	}
	operations, err := patch.Decode(x.Answer.Patch, generous())
	if err != nil {
		return nil, fmt.Errorf("decoding the patch: %w", err)
	}
	patched, err := patch.Apply(operations, object, generous())
	if err != nil {
		return nil, fmt.Errorf("applying the patch: %w", err)
	}
	return patched, nil
}

// Object returns the object that was sent, byte by byte; nil if there was none.
func (x *Exchange) Object() json.RawMessage {
	var sent struct {
		Request struct {
			Object json.RawMessage `json:"object"`
		} `json:"request"`
	}
	if json.Unmarshal(x.Sent, &sent) != nil || string(sent.Request.Object) == "null" {
		return nil
	}
	return sent.Request.Object
}

// generous are limits that only bound what a broken patch can do to this process:
// kube-apiserver has none.
func generous() *limits.Limits {
	return &limits.Limits{PatchSize: enough, PatchOperations: 100_000, PatchCopies: 3 << 20, PatchedObject: 2 * enough}
}
