package probe

import (
	"encoding/json"
	"errors"
	"fmt"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/engine/patch"
)

// Patched applies the patch of the Answer to the object that was sent. It
// returns JSON without defaults and with unknown fields; without a patch it
// returns the object itself. It returns an error if there is no object or no
// Answer, or if the patch cannot be decoded or applied.
func (x *Exchange) Patched() (json.RawMessage, error) {
	if x.patched == nil {
		object, err := x.apply()
		x.patched = &patched{object, err}
	}
	return x.patched.object, x.patched.err
}

// patched is the result of applying a patch.
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
		return nil, errors.New("there is no object to patch")
	case len(x.Answer.Patch) == 0:
		return object, nil
	}
	operations, err := patch.Decode(x.Answer.Patch, patchLimits())
	if err != nil {
		return nil, fmt.Errorf("decoding the patch: %w", err)
	}
	patched, err := ApplyPatch(operations, object)
	if err != nil {
		return nil, fmt.Errorf("applying the patch: %w", err)
	}
	return patched, nil
}

// Object returns the bytes of the object in the request; nil if there is none.
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

// ApplyPatch returns an object with the operations of a patch applied.
func ApplyPatch(operations patch.Operations, object []byte) ([]byte, error) {
	return patch.Apply(operations, object, patchLimits())
}

// patchLimits only protect this process from a broken patch: kube-apiserver has
// no limits.
func patchLimits() *limits.Limits {
	return &limits.Limits{PatchSize: maxResponse, PatchOperations: 100_000, PatchCopies: 3 << 20,
		PatchedObject: 2 * maxResponse}
}
