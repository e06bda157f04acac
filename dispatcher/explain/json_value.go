package explain

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// jsonValue is a JSON value. It is immutable after reading.
type jsonValue struct {
	kind valueKind
	// opaque marks a part that is too large to be compared item by item; see markOpaque.
	opaque bool
	// id is the same for equal values of one reader, and for no others.
	id int32
	// text is a string, or the literal of another scalar.
	text string
	// keys are the sorted keys of a map; items are its values, or the items of a list.
	keys  []mapKey
	items []jsonValue
}

// mapKey is a key of a map, with the id of the string.
type mapKey struct {
	text string
	id   int32
}

type valueKind uint8

const (
	valueLiteral valueKind = 1 + iota // null, true, false
	valueNumber
	valueString
	valueList
	valueMap
)

// isPart reports whether v is a list or a map.
func (v *jsonValue) isPart() bool { return v.kind == valueList || v.kind == valueMap }

// expandable reports whether v has items that are leaves or parts themselves; if not, v
// is a leaf.
func (v *jsonValue) expandable() bool { return len(v.items) > 0 && !v.opaque }

// isEmpty reports whether v is null, or a list or map without items.
func (v *jsonValue) isEmpty() bool {
	return v.isPart() && len(v.items) == 0 || v.kind == valueLiteral && v.text == "null"
}

// isScalar reports whether v can be the value of a merge key.
func (v *jsonValue) isScalar() bool { return !v.isPart() && !v.isEmpty() }

// sameStructure reports whether two values can be compared item by item.
func sameStructure(before, after *jsonValue) bool {
	return before.isPart() && before.kind == after.kind && !before.opaque && !after.opaque
}

// get returns the value of a key of a map; nil if there is none.
func (v *jsonValue) get(key string) *jsonValue {
	if v.kind != valueMap {
		return nil
	}
	if i, ok := slices.BinarySearchFunc(v.keys, key, func(k mapKey, key string) int { return strings.Compare(k.text, key) }); ok {
		return &v.items[i]
	}
	return nil
}

// step returns the step to the i-th item.
func (v *jsonValue) step(i int) pathStep {
	if v.kind == valueMap {
		return pathStep{kind: stepKey, key: v.keys[i].text}
	}
	return pathStep{kind: stepIndex, index: i}
}

const (
	// fieldCost is the cost of a field in addition to the length of its path.
	fieldCost = 128
	// maxFieldCost bounds the cost of all fields of an object. It protects against
	// hostile objects: a key of a megabyte above thousands of fields, or a million
	// zeros.
	maxFieldCost = 64 << 20
)

// markOpaque makes leaves of the parts whose fields would cost more than is left. length
// is the length of the path to v.
func (v *jsonValue) markOpaque(length int, left *int) {
	cost := len(v.items) * (length + fieldCost)
	if v.opaque = cost > *left; v.opaque {
		return
	}
	*left -= cost
	for i := range v.items {
		longer := length + len("[000]")
		if v.kind == valueMap {
			longer = length + len(".") + len(v.keys[i].text)
		}
		v.items[i].markOpaque(longer, left)
	}
}

// encode returns the JSON of v, with sorted keys and without white space; nil for nil.
func (v *jsonValue) encode() json.RawMessage {
	if v == nil {
		return nil
	}
	return v.appendTo(nil)
}

func (v *jsonValue) appendTo(text []byte) []byte {
	switch v.kind {
	case valueString:
		return appendString(text, v.text)
	case valueLiteral, valueNumber:
		return append(text, v.text...)
	case valueList, valueMap:
	}
	brackets := "[]"
	if v.kind == valueMap {
		brackets = "{}"
	}
	text = append(text, brackets[0])
	for i := range v.items {
		if i > 0 {
			text = append(text, ',')
		}
		if v.kind == valueMap {
			text = append(appendString(text, v.keys[i].text), ':')
		}
		text = v.items[i].appendTo(text)
	}
	return append(text, brackets[1])
}

// appendString encodes a string. Unlike json.Marshal it does not escape < and >; package
// report escapes them for HTML.
func appendString(text []byte, s string) []byte {
	special := func(r rune) bool { return r < ' ' || r == '"' || r == '\\' }
	if utf8.ValidString(s) && strings.IndexFunc(s, special) < 0 {
		text = append(text, '"')
		text = append(text, s...)
		return append(text, '"')
	}
	var encoded bytes.Buffer
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		return append(text, `""`...) // not reached: every string can be encoded
	}
	return append(text, bytes.TrimSuffix(encoded.Bytes(), []byte("\n"))...)
}
