package explain

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// reader reads JSON documents and gives each value an id: equal values have
// equal ids, in all documents of one reader. Comparing two parts of any size is
// then comparing two integers.
type reader struct{ ids map[string]int }

func newReader() *reader { return &reader{ids: map[string]int{}} }

const (
	// fieldCost is the cost of a field in addition to the length of its path.
	fieldCost = 128
	// maxFieldCost bounds the cost of all fields of an object. It protects
	// against hostile objects: a key of a megabyte above thousands of fields,
	// or a million zeros.
	maxFieldCost = 64 << 20
)

var errTooLarge = errors.New("the object has too many fields, or paths that are too long")

// read returns the value of a document; nil for an empty one. The error is that
// of encoding/json, or errTooLarge.
func (r *reader) read(document json.RawMessage) (*jsonValue, error) {
	if len(bytes.TrimSpace(document)) == 0 {
		return nil, nil
	}
	raw, err := decodeJSON(document)
	if err != nil {
		return nil, err
	}
	v := r.value(raw)
	if v.fieldCosts(0) > maxFieldCost {
		return nil, errTooLarge
	}
	return &v, nil
}

// decodeJSON decodes a document and keeps the literals of its numbers.
func decodeJSON(document json.RawMessage) (any, error) {
	var value any
	if !json.Valid(document) { // a Decoder would ignore what follows a value
		return nil, json.Unmarshal(document, &value)
	}
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	err := decoder.Decode(&value)
	return value, err
}

// value returns a decoded value with its id.
func (r *reader) value(raw any) jsonValue {
	v := jsonValue{raw: raw}
	var name []byte
	switch raw := raw.(type) {
	case map[string]any:
		v.keys = slices.Sorted(maps.Keys(raw))
		v.items = make([]jsonValue, len(raw))
		name = append(name, '{')
		for i, key := range v.keys {
			v.items[i] = r.value(raw[key])
			name = binary.AppendUvarint(name, uint64(r.id(`"`+key)))
			name = binary.AppendUvarint(name, uint64(v.items[i].id))
		}
	case []any:
		v.items = make([]jsonValue, len(raw))
		name = append(name, '[')
		for i := range raw {
			v.items[i] = r.value(raw[i])
			name = binary.AppendUvarint(name, uint64(v.items[i].id))
		}
	case string:
		name = append(append(name, '"'), raw...)
	case json.Number:
		name = append(append(name, '#'), canonical([]byte(raw))...)
	default: // true, false and null
		name = fmt.Append(name, raw)
	}
	v.id = r.id(string(name))
	return v
}

// id returns the id of the value with a name. Only equal values have equal
// names.
func (r *reader) id(name string) int {
	id, ok := r.ids[name]
	if !ok {
		id = len(r.ids)
		r.ids[name] = id
	}
	return id
}

// exponentLimit bounds the exponents of numbers that are normalized; numbers
// beyond it are compared by their literals.
const exponentLimit = 1 << 40

// canonical returns the normal form of a number: its digits without leading and
// trailing zeros, and an exponent. It does no arithmetic, so numbers may be of
// any size: 1.50 becomes 15e-1, and 1000 becomes 1e3.
func canonical(literal []byte) []byte {
	digits := bytes.TrimPrefix(literal, []byte("-"))
	sign := literal[:len(literal)-len(digits)]
	exponent := 0
	if i := bytes.IndexAny(digits, "eE"); i >= 0 {
		n, err := strconv.Atoi(string(digits[i+1:]))
		if err != nil || n > exponentLimit || n < -exponentLimit {
			return literal
		}
		digits, exponent = digits[:i], n
	}
	if whole, fraction, ok := bytes.Cut(digits, []byte(".")); ok {
		digits, exponent = slices.Concat(whole, fraction), exponent-len(fraction)
	}
	digits = bytes.TrimLeft(digits, "0")
	significant := bytes.TrimRight(digits, "0")
	if len(significant) == 0 {
		return []byte("0")
	}
	exponent += len(digits) - len(significant)
	return fmt.Appendf(nil, "%s%se%d", sign, significant, exponent)
}
