package golden

import (
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/suite/expect"
)

// The reasons why a response has no final object.
var (
	errDenied  = errors.New("the request was denied, so there is no final object")
	errDeleted = errors.New("there is no final object, as there is none after a deletion")
)

// finalObject returns the final object of an admitted request, without the
// fields that golden files omit.
func finalObject(r *admission.Response) (json.RawMessage, error) {
	if !r.Allowed {
		return nil, errDenied
	}
	whole, err := expect.Object(r)
	switch {
	case err != nil:
		return nil, err
	case whole == nil:
		return nil, errDeleted
	}
	left := []string{"managedFields"}
	if nameGenerated(r.Request) {
		left = append(left, "name")
	}
	return without(whole, left)
}

// nameGenerated reports whether a request had a generateName only.
func nameGenerated(r *admission.Request) bool {
	if r == nil || r.Object == nil || r.Name != "" {
		return false
	}
	sent, err := meta.Accessor(r.Object)
	return err == nil && sent.GetName() == "" && sent.GetGenerateName() != ""
}

// without removes metadata fields. The rest of the object is not decoded, so
// that it cannot change.
func without(whole json.RawMessage, keys []string) (json.RawMessage, error) {
	var object, metadata map[string]json.RawMessage
	if err := json.Unmarshal(whole, &object); err != nil {
		return nil, fmt.Errorf("reading the final object: %w", err)
	}
	if object["metadata"] == nil {
		return whole, nil
	}
	if err := json.Unmarshal(object["metadata"], &metadata); err != nil {
		return nil, fmt.Errorf("reading the metadata of the final object: %w", err)
	}
	for _, key := range keys {
		delete(metadata, key)
	}
	left, err := json.Marshal(metadata)
	if err != nil {
		return nil, fmt.Errorf("encoding the metadata of the final object: %w", err)
	}
	object["metadata"] = left
	rest, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("encoding the final object: %w", err)
	}
	return rest, nil
}
