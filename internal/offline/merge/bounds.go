package merge

import (
	"bytes"
	"encoding/json"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"example.com/gatehouse/admission/limits"
)

const (
	// maxPatch is what kube-apiserver takes as the body of a request.
	maxPatch = 3 << 20
	// maxOperations is how many operations it takes in a JSON patch.
	maxOperations = 10_000
	// maxCopies is how much their copies may add to the object.
	maxCopies = 3 << 20
	// maxPatched is beyond the size that any object can be stored with.
	maxPatched = 8 << 20

	// maxNested bounds depth times size: the libraries parse what is nested again
	// at every level. It allows the largest patches 40 levels, and those of a
	// usual size thousands. At the bound it takes a few seconds.
	maxNested = 256 << 20
	// maxCompared bounds how often elements of lists are compared with each other
	// when they are merged by their keys. At the bound it takes a minute.
	maxCompared = 1e9
)

// serverLimits are the limits of the JSON patches of users.
func serverLimits() *limits.Limits {
	return &limits.Limits{PatchSize: maxPatch, PatchOperations: maxOperations, PatchCopies: maxCopies, PatchedObject: maxPatched}
}

// checkPatch finds out whether a patch is JSON that may change something, and of a
// size that can be merged into a document of some size.
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
		return apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("the patch is nested %d levels deep, which is too deep for its size", deepest))
	}
	return nil
}

// checkSize finds out whether a body has a size that a server reads.
func checkSize(size int) error {
	if size <= maxPatch {
		return nil
	}
	return apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", maxPatch))
}

// depth is how deep valid JSON is nested.
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

// checkLists finds out whether the lists of a strategic patch can be merged into
// those of an object.
func checkLists(object, patch map[string]any) error {
	few, many := elements(patch), elements(object)
	if float64(few)*float64(few+many) > maxCompared {
		return apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("the lists of the patch have %d elements, which are too many to be merged with %d", few, many))
	}
	return nil
}

// elements is how many elements all lists of a value have together.
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
