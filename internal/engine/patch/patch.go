package patch

import (
	"errors"
	"fmt"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/engine/guard"
)

// Operations is a decoded JSON patch. As JSON it is the patch with the members
// of every operation in alphabetical order.
type Operations = jsonpatch.Patch

// Decode reads a JSON patch. "[]" and "null" are valid patches of length 0.
// Decode does not read a patch that is larger than l.PatchSize; the error then
// wraps a *limits.Error.
func Decode(patch []byte, l *limits.Limits) (Operations, error) {
	if len(patch) > l.PatchSize {
		return nil, fmt.Errorf("patch cannot be applied: %w",
			limits.Bytes("PatchSize", l.PatchSize))
	}
	return jsonpatch.DecodePatch(patch)
}

// Apply returns the document with the operations applied. It modifies neither
// argument. The error wraps a *limits.Error if there are too many operations,
// if they copy too much, or if the result is too large.
func Apply(operations Operations, document []byte, l *limits.Limits) (patched []byte, err error) {
	err = guard.Call(func() (err error) {
		patched, err = apply(operations, document, l)
		return err
	})
	// The library panics on some well-formed patches.
	var panicked *admission.PanicError
	if errors.As(err, &panicked) {
		return nil, fmt.Errorf("patch cannot be applied: %v", panicked)
	}
	return patched, err
}

func apply(operations Operations, document []byte, l *limits.Limits) ([]byte, error) {
	if n := l.PatchOperations; len(operations) > n {
		return nil, fmt.Errorf("patch cannot be applied: %w",
			&limits.Error{Field: "PatchOperations", Limit: n, Unit: "operations"})
	}
	if err := checkCopies(operations, document, l.PatchCopies); err != nil {
		return nil, err
	}
	patched, err := operations.Apply(document)
	if err == nil && len(patched) > l.PatchedObject {
		return nil, fmt.Errorf("patched object: %w", limits.Bytes("PatchedObject", l.PatchedObject))
	}
	return patched, err
}

// checkCopies returns an error if the "copy" operations copy more than the
// limit.
//
// The library has such a limit, but as a variable of the whole process, which
// belongs to the embedder. checkCopies therefore computes an upper bound first,
// and measures the copies only if the bound exceeds the limit.
func checkCopies(operations Operations, document []byte, limit int) error {
	if bound(operations, document, limit) <= limit {
		return nil
	}
	copied, err := measure(operations, document, limit)
	if err == nil && copied > limit {
		return fmt.Errorf("copies of the patch: %w", limits.Bytes("PatchCopies", limit))
	}
	return err
}
