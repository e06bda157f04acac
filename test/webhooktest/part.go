package webhooktest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	apiruntime "k8s.io/apimachinery/pkg/runtime"
)

// partOf makes JSON of a part of an object. Go types write down fields that nobody has set,
// such as the status of a Pod, which would all be wanted: they are left out.
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

// onlySet returns JSON without what is not set in it.
func onlySet(text json.RawMessage) (json.RawMessage, error) {
	numbers := json.NewDecoder(bytes.NewReader(text))
	numbers.UseNumber() // as they are written
	var v any
	if err := numbers.Decode(&v); err != nil {
		return nil, fmt.Errorf("reading what was just written: %w", err)
	}
	prune(v)
	return marshal(v)
}

// prune removes from maps, at any depth, what is not set. The items of lists stay, because
// others would come to be in their places.
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

// unset reports whether JSON looks as that of a Go field does that nobody has set.
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

// needsPointer reports a struct that is an object only if it is pointed to.
func needsPointer(v any) error {
	t := reflect.TypeOf(v)
	if t == nil || t.Kind() != reflect.Struct || !reflect.PointerTo(t).Implements(reflect.TypeFor[apiruntime.Object]()) {
		return nil
	}
	return errors.New("a " + t.String() + " is no object, but a pointer to it is: use a pointer")
}
