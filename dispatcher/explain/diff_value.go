package explain

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// datum is a JSON value that was read. It is not changed once it has been.
type datum struct {
	kind datumKind
	// sealed says that a part has too much in it to be looked into; see seal.
	sealed bool
	// id is the same for equal values that one reader has read, and for no others.
	id int32
	// text is the string, or the literal of a number or a word.
	text string
	// keys are those of a map, sorted; items are its values, or those of a list.
	keys  []datumKey
	items []datum
}

// datumKey is a key of a map. Its id is that of the string.
type datumKey struct {
	text string
	id   int32
}

type datumKind uint8

const (
	datumWord datumKind = 1 + iota // null, true, false
	datumNumber
	datumString
	datumList
	datumMap
)

// part reports whether v is a list or a map.
func (v *datum) part() bool { return v.kind == datumList || v.kind == datumMap }

// open reports whether v is a part with something in it, and not a leaf.
func (v *datum) open() bool { return len(v.items) > 0 && !v.sealed }

// empty reports whether nothing is lost with v.
func (v *datum) empty() bool {
	return v.part() && len(v.items) == 0 || v.kind == datumWord && v.text == "null"
}

// scalar reports whether v may tell items of a list apart.
func (v *datum) scalar() bool { return !v.part() && !v.empty() }

// sameForm reports whether two values differ in what is in them, and not altogether.
func sameForm(before, after *datum) bool {
	return before.part() && before.kind == after.kind && !before.sealed && !after.sealed
}

// at returns what a map has under a key, or nil.
func (v *datum) at(key string) *datum {
	if v.kind != datumMap {
		return nil
	}
	if i, ok := slices.BinarySearchFunc(v.keys, key, func(k datumKey, key string) int { return strings.Compare(k.text, key) }); ok {
		return &v.items[i]
	}
	return nil
}

// step is the step that leads to the i-th item.
func (v *datum) step(i int) pathStep {
	if v.kind == datumMap {
		return pathStep{kind: stepKey, key: v.keys[i].text}
	}
	return pathStep{kind: stepIndex, index: i}
}

const (
	// sealCost is what a field costs beside its path.
	sealCost = 128
	// sealLimit is how much the fields of an object may cost. It is there for objects
	// that were made to be a nuisance: a key of a megabyte above thousands of fields,
	// or a million zeros.
	sealLimit = 64 << 20
)

// seal makes leaves of the parts whose fields would cost more than is left. length is
// that of the path to v.
func (v *datum) seal(length int, left *int) {
	cost := len(v.items) * (length + sealCost)
	if v.sealed = cost > *left; v.sealed {
		return
	}
	*left -= cost
	for i := range v.items {
		longer := length + len("[000]")
		if v.kind == datumMap {
			longer = length + len(".") + len(v.keys[i].text)
		}
		v.items[i].seal(longer, left)
	}
}

// encode returns the JSON of v: maps sorted by key, and no space between. It is nil for
// nil.
func (v *datum) encode() json.RawMessage {
	if v == nil {
		return nil
	}
	return v.appendTo(nil)
}

func (v *datum) appendTo(text []byte) []byte {
	switch v.kind {
	case datumString:
		return appendString(text, v.text)
	case datumWord, datumNumber:
		return append(text, v.text...)
	case datumList, datumMap:
	}
	brackets := "[]"
	if v.kind == datumMap {
		brackets = "{}"
	}
	text = append(text, brackets[0])
	for i := range v.items {
		if i > 0 {
			text = append(text, ',')
		}
		if v.kind == datumMap {
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
