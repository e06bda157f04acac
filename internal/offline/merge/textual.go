package merge

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	kjson "sigs.k8s.io/json"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/engine/patch"
)

// textual applies a JSON patch or a merge patch, which change the JSON of an
// object.
func (m *Merger) textual(
	stored runtime.Object, text []byte, t types.PatchType,
) (runtime.Object, error) {
	document, err := json.Marshal(stored)
	if err != nil {
		return nil, errNotEncoded
	}
	if err := checkPatch(text, len(document)); err != nil {
		return nil, err
	}
	change := mergePatch
	if t == types.JSONPatchType {
		change = jsonPatch
	}
	patched, strict, err := change(document, text)
	if err != nil {
		return nil, err
	}
	return m.decode(patched, stored, strict)
}

// errNotEncoded replaces an error of the encoder, which would quote the stored
// object.
var errNotEncoded = errors.New("the stored object cannot be encoded")

// operation has the members of a JSON patch operation.
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	From  string `json:"from"`
	Value any    `json:"value"`
}

// jsonPatch returns the patched document and the strict errors of the patch.
// Errors in the patch itself have the code 400, those in applying it 422.
func jsonPatch(document, text []byte) (patched []byte, strict []error, err error) {
	var known []operation
	strict, err = kjson.UnmarshalStrict(text, &known)
	if err != nil {
		// Compat: kube-apiserver's text has the name of its Go type.
		text := strings.ReplaceAll(undecodable(err), "merge.operation", "handlers.jsonPatchOp")
		return nil, nil, apierrors.NewBadRequest("error decoding patch: " + text)
	}
	for i := range strict {
		strict[i] = fmt.Errorf("json patch %w", strict[i])
	}
	operations, err := patch.Decode(text, serverLimits())
	if err != nil {
		return nil, nil, apierrors.NewBadRequest(err.Error())
	}
	if n := len(operations); n > maxOperations {
		return nil, nil, apierrors.NewRequestEntityTooLargeError(
			fmt.Sprintf("The allowed maximum operations in a JSON patch is %d, got %d", maxOperations, n))
	}
	if err := checkOps(known); err != nil {
		return nil, nil, err
	}
	patched, err = patch.Apply(operations, document, serverLimits())
	if err != nil {
		return nil, nil, unprocessable(explained(err))
	}
	return patched, strict, nil
}

// checkOps returns an error for an unknown operation, which the library would
// quote.
func checkOps(operations []operation) error {
	for i, o := range operations {
		switch o.Op {
		case "add", "remove", "replace", "move", "copy", "test":
		default:
			return unprocessable(
				fmt.Sprintf("operation %d: op has to be add, remove, replace, move, copy or test", i))
		}
	}
	return nil
}

// explained returns the text of an error without the names of limits, which
// users cannot set. The text has paths of the patch, but no values.
func explained(err error) string {
	var exceeded *limits.Error
	if !errors.As(err, &exceeded) {
		return strings.TrimSuffix(err.Error(), ": %!w(<nil>)")
	}
	if exceeded.Field == "PatchCopies" {
		return fmt.Sprintf("the copies that the patch makes have more than %d bytes", exceeded.Limit)
	}
	return fmt.Sprintf("the patched object has more than %d %s", exceeded.Limit, exceeded.Unit)
}

// unprocessable returns the error for a well-formed patch that does not apply.
// It wraps the status of kube-apiserver, which does not have the reason.
func unprocessable(why string) error {
	status := apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "",
		schema.GroupResource{}, "", why, 0, false)
	return fmt.Errorf("%s: %w", why, status)
}

// mergePatch is jsonPatch for a merge patch.
func mergePatch(document, text []byte) (patched []byte, strict []error, err error) {
	fields := map[string]any{}
	strict, err = kjson.UnmarshalStrict(text, &fields)
	if err != nil {
		return nil, nil, apierrors.NewBadRequest("error decoding patch: " + undecodable(err))
	}
	patched, err = jsonpatch.MergePatch(document, text)
	if errors.Is(err, jsonpatch.ErrBadJSONPatch) {
		return nil, nil, apierrors.NewBadRequest(err.Error())
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the patch cannot be merged: %s", reason(err))
	}
	return patched, strict, nil
}
