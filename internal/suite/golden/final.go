package golden

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/suite/expect"
)

// noObjectError says why a response has no final object.
type noObjectError struct{ why string }

func (e *noObjectError) Error() string { return e.why }

// final returns the final object of a request that was admitted, without what is left out
// of files.
func final(r *admission.Response) (json.RawMessage, error) {
	if !r.Allowed {
		return nil, &noObjectError{"the request was denied, so there is no final object"}
	}
	whole, err := expect.Object(r)
	switch {
	case err != nil:
		return nil, err
	case whole == nil:
		return nil, &noObjectError{"there is no final object, as there is none after a deletion"}
	}
	left := []string{"managedFields"}
	if nameGenerated(r.Request) {
		left = append(left, "name")
	}
	return without(whole, left)
}

// nameGenerated reports whether a request had no name, but the beginning of one.
func nameGenerated(r *admission.Request) bool {
	if r == nil || r.Object == nil || r.Name != "" {
		return false
	}
	sent, err := meta.Accessor(r.Object)
	return err == nil && sent.GetName() == "" && sent.GetGenerateName() != ""
}

// without returns an object without some of its metadata. Nothing else of it is read, and
// so nothing else can change.
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
