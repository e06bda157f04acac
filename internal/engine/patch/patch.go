package patch

import (
	"fmt"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"example.com/gatehouse/admission/limits"
)

// Operations is a decoded JSON patch. As JSON it is the patch with the members of
// every operation in alphabetical order.
type Operations = jsonpatch.Patch

// Decode reads a JSON patch. No operations, as in "[]" and "null", is a valid
// patch of length 0. A patch that is too large is not looked at; the error then
// wraps a *limits.Error.
func Decode(patch []byte, l *limits.Limits) (Operations, error) {
	if len(patch) > l.PatchSize {
		return nil, fmt.Errorf("patch cannot be applied: %w", limits.Bytes("PatchSize", l.PatchSize))
	}
	return jsonpatch.DecodePatch(patch)
}

// Apply returns the document with the operations applied. Neither argument is modified. The error wraps a *limits.Error if there are too many operations, if
// they copy too much, or if too much comes of them.
func Apply(operations Operations, document []byte, l *limits.Limits) (patched []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			patched, err = nil, fmt.Errorf("patch cannot be applied: %v", r)
		}
	}()
	if n := l.PatchOperations; len(operations) > n {
		return nil, fmt.Errorf("patch cannot be applied: %w", &limits.Error{Field: "PatchOperations", Limit: n, Unit: "operations"})
	}
	if err := checkCopies(operations, document, l.PatchCopies); err != nil {
		return nil, err
	}
	patched, err = operations.Apply(document)
	if err == nil && len(patched) > l.PatchedObject {
		return nil, fmt.Errorf("patched object: %w", limits.Bytes("PatchedObject", l.PatchedObject))
	}
	return patched, err
}

// checkCopies returns an error if the "copy" operations copy more than the limit.
//
// The library has such a limit, but as a variable of the whole process, which
// belongs to the host. So it has to be known beforehand: mostly the bound says
// that there is nothing to fear, and only if it does not the copies are measured.
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
