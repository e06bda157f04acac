package explain

import (
	"bytes"
	"encoding/json"
	"slices"
)

// jsonValue is a JSON value. It is immutable after reading.
type jsonValue struct {
	// raw is the value as decodeJSON returns it.
	raw any
	// id is the same for equal values of one reader, and for no others.
	id int
	// keys are the sorted keys of a map; items are its values, or the items of
	// a list.
	keys  []string
	items []jsonValue
}

func (v *jsonValue) isMap() bool {
	_, ok := v.raw.(map[string]any)
	return ok
}

func (v *jsonValue) isList() bool {
	_, ok := v.raw.([]any)
	return ok
}

// isScalar reports whether v can be the value of a merge key.
func (v *jsonValue) isScalar() bool { return v.raw != nil && !v.isMap() && !v.isList() }

// isLeaf reports whether v has no items.
func (v *jsonValue) isLeaf() bool { return len(v.items) == 0 }

// isEmpty reports whether v is null, or a list or map without items.
func (v *jsonValue) isEmpty() bool { return v.isLeaf() && !v.isScalar() }

// equal compares two values of one reader; nil is an absent value.
func equal(a, b *jsonValue) bool {
	return a == b || a != nil && b != nil && a.id == b.id
}

// sameStructure reports whether two values can be compared item by item.
func sameStructure(before, after *jsonValue) bool {
	return before.isMap() && after.isMap() || before.isList() && after.isList()
}

// get returns the value of a key of a map; nil if there is none.
func (v *jsonValue) get(key string) *jsonValue {
	if v == nil {
		return nil
	}
	if i, ok := slices.BinarySearch(v.keys, key); ok {
		return &v.items[i]
	}
	return nil
}

// fieldCosts returns the cost of the fields of v. length is the length of the
// path to v.
func (v *jsonValue) fieldCosts(length int) int {
	sum := len(v.items) * (length + fieldCost)
	for i := range v.items {
		longer := length + len("[000]")
		if v.isMap() {
			longer = length + len(".") + len(v.keys[i])
		}
		sum += v.items[i].fieldCosts(longer)
	}
	return sum
}

// encode returns the JSON of v, with sorted keys and without white space; nil
// for nil. It does not escape < and >; package report escapes them for HTML.
func (v *jsonValue) encode() json.RawMessage {
	if v == nil {
		return nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v.raw); err != nil {
		return nil // not reached: the value was decoded from JSON
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}
