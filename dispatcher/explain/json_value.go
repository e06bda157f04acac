package explain

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// datum is a JSON value that was read. It is not changed once it has been.
type jsonValue struct {
	kind valueKind
	// sealed says that a part has too much in it to be looked into; see seal.
	opaque bool
	// id is the same for equal values that one reader has read, and for no others.
	id int32
	// text is the string, or the literal of a number or a word.
	text string
	// keys are those of a map, sorted; items are its values, or those of a list.
	keys  []mapKey
	items []jsonValue
}

// datumKey is a key of a map. Its id is that of the string.
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

// part reports whether v is a list or a map.
func (v *jsonValue) isPart() bool { return v.kind == valueList || v.kind == valueMap }

// open reports whether v is a part with something in it, and not a leaf.
func (v *jsonValue) expandable() bool { return len(v.items) > 0 && !v.opaque }

// empty reports whether nothing is lost with v.
func (v *jsonValue) isEmpty() bool {
	return v.isPart() && len(v.items) == 0 || v.kind == valueLiteral && v.text == "null"
}

// scalar reports whether v may tell items of a list apart.
func (v *jsonValue) isScalar() bool { return !v.isPart() && !v.isEmpty() }

// sameForm reports whether two values differ in what is in them, and not altogether.
func sameStructure(before, after *jsonValue) bool {
	return before.isPart() && before.kind == after.kind && !before.opaque && !after.opaque
}

// at returns what a map has under a key, or nil.
func (v *jsonValue) get(key string) *jsonValue {
	if v.kind != valueMap {
		return nil
	}
	if i, ok := slices.BinarySearchFunc(v.keys, key, func(k mapKey, key string) int { return strings.Compare(k.text, key) }); ok {
		return &v.items[i]
	}
	return nil
}

// step is the step that leads to the i-th item.
func (v *jsonValue) step(i int) pathStep {
	if v.kind == valueMap {
		return pathStep{kind: stepKey, key: v.keys[i].text}
	}
	return pathStep{kind: stepIndex, index: i}
}

const (
	// sealCost is what a field costs beside its path.
	fieldCost = 128
	// sealLimit is how much the fields of an object may cost. It is there for objects
	// that were made to be a nuisance: a key of a megabyte above thousands of fields,
	// or a million zeros.
	maxFieldCost = 64 << 20
)

// seal makes leaves of the parts whose fields would cost more than is left. length is
// that of the path to v.
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

// encode returns the JSON of v: maps sorted by key, and no space between. It is nil for
// nil.
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

// appendString encodes a string. Unlike json.Marshal it leaves < and > as they are:
// whoever puts JSON into HTML escapes it there.
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
		return append(text, `""`...) // there is no string that cannot be encoded
	}
	return append(text, bytes.TrimSuffix(encoded.Bytes(), []byte("\n"))...)
}
