package webhooktest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	apiruntime "k8s.io/apimachinery/pkg/runtime"
)

// partOf returns the JSON of a part of an object. Fields of Go types that are
// not set, such as the status of a Pod, are left out: they would otherwise be
// expected.
func partOf(v any) (json.RawMessage, error) {
	if err := needsPointer(v); err != nil {
		return nil, err
	}
	text, err := valueOf(v)
	_, object := v.(apiruntime.Object)
	_, loose := v.(apiruntime.Unstructured)
	if err != nil || !object || loose {
		return text, err
	}
	return onlySet(text)
}

// onlySet returns JSON without unset fields.
func onlySet(text json.RawMessage) (json.RawMessage, error) {
	numbers := json.NewDecoder(bytes.NewReader(text))
	numbers.UseNumber() // keep their spelling
	var v any
	if err := numbers.Decode(&v); err != nil {
		return nil, fmt.Errorf("reading what was just written: %w", err)
	}
	prune(v)
	return marshal(v)
}

// prune removes unset fields from maps, at any depth. List items stay, because
// they are matched by position.
func prune(v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			prune(value)
			if unset(value) {
				delete(v, key)
			}
		}
	case []any:
		for _, item := range v {
			prune(item)
		}
	}
}

// unset reports whether a JSON value is the zero value of a Go field.
func unset(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	case json.Number:
		return v == "0"
	}
	return v == nil || v == "" || v == false
}

// needsPointer rejects a struct that implements runtime.Object only as a
// pointer.
func needsPointer(v any) error {
	t := reflect.TypeOf(v)
	if t == nil || t.Kind() != reflect.Struct ||
		!reflect.PointerTo(t).Implements(reflect.TypeFor[apiruntime.Object]()) {
		return nil
	}
	return errors.New("a " + t.String() + " is no object, but a pointer to it is: use a pointer")
}
