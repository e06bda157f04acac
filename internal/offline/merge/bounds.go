package merge

import (
	"bytes"
	"encoding/json"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"example.com/gatehouse/admission/limits"
)

const (
	// maxPatch is kube-apiserver's limit for the body of a request, in bytes.
	maxPatch = 3 << 20
	// maxOperations is its limit for the operations of a JSON patch.
	maxOperations = 10_000
	// maxCopies is its limit for the bytes that their copies add.
	maxCopies = 3 << 20
	// maxPatched is more than the size of any stored object.
	maxPatched = 8 << 20

	// maxNested bounds depth times size, because the libraries parse nested
	// values again at every level. It allows the largest patches 40 levels, and
	// usual ones thousands. A patch at the bound takes a few seconds.
	maxNested = 256 << 20
	// maxCompared bounds the comparisons of list elements that are merged by
	// their keys. A patch at the bound takes a minute.
	maxCompared = 1e9
)

// serverLimits returns the limits of JSON patches.
func serverLimits() *limits.Limits {
	return &limits.Limits{PatchSize: maxPatch, PatchOperations: maxOperations, PatchCopies: maxCopies,
		PatchedObject: maxPatched}
}

// checkPatch returns an error for a patch that is empty, null or no JSON, or
// too large for a document of a size. A forgotten patch must not look like one
// that changes nothing.
func checkPatch(patch []byte, document int) error {
	if err := checkSize(len(patch)); err != nil {
		return err
	}
	switch string(bytes.TrimSpace(patch)) {
	case "":
		return apierrors.NewBadRequest("the patch is empty")
	case "null":
		return apierrors.NewBadRequest("the patch is null, which changes nothing")
	}
	if !json.Valid(patch) {
		return apierrors.NewBadRequest("invalid JSON patch")
	}
	if deepest := depth(patch); deepest*(len(patch)+document) > maxNested {
		return apierrors.NewRequestEntityTooLargeError(
			fmt.Sprintf("the patch is nested %d levels deep, which is too deep for its size", deepest))
	}
	return nil
}

// checkSize returns an error for a body that a server does not read.
func checkSize(size int) error {
	if size <= maxPatch {
		return nil
	}
	return apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", maxPatch))
}

// depth returns the number of levels of valid JSON.
func depth(text []byte) int {
	deepest, now, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}

// checkLists returns an error if the lists of a strategic patch and of the
// object are too long to be merged.
func checkLists(object, patch map[string]any) error {
	few, many := elements(patch), elements(object)
	if float64(few)*float64(few+many) > maxCompared {
		return apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("the lists of the patch have %d elements, which are too many to be merged with %d", few, many))
	}
	return nil
}

// elements counts the elements of all lists in a value.
func elements(value any) (n int) {
	switch v := value.(type) {
	case map[string]any:
		for _, member := range v {
			n += elements(member)
		}
	case []any:
		n = len(v)
		for _, element := range v {
			n += elements(element)
		}
	}
	return n
}
