package explain

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// reader reads JSON documents and gives each value an id: equal values have equal ids,
// in all documents of one reader. Comparing two parts of any size is then comparing two
// integers, without the collisions of hashes.
type reader struct {
	ids   map[string]int32
	names []string // the inverse of ids

	data []byte
	pos  int
	// values and keys are a stack of the items of the parts being read, outermost first.
	values []jsonValue
	keys   []mapKey
	// name and part are buffers for the names of ids.
	name, part []byte
}

func newReader() *reader { return &reader{ids: map[string]int32{}} }

// read returns the value of a document; nil for an empty one. The error is that of
// encoding/json.
func (r *reader) read(document json.RawMessage) (*jsonValue, error) {
	if len(bytes.TrimSpace(document)) == 0 {
		return nil, nil
	}
	if !json.Valid(document) {
		var ignored json.RawMessage
		return nil, json.Unmarshal(document, &ignored)
	}
	r.data, r.pos = document, 0
	v := r.value()
	left := maxFieldCost
	v.markOpaque(0, &left)
	return &v, nil
}

// value reads a value. The document is valid.
func (r *reader) value() jsonValue {
	switch c := r.next(); {
	case c == '{':
		return r.object()
	case c == '[':
		return r.list()
	case c == '"':
		return r.leaf(valueString, r.text())
	case c == '-', '0' <= c && c <= '9':
		return r.number(r.literal())
	}
	return r.leaf(valueLiteral, r.literal())
}

// next skips white space and returns the byte after it.
func (r *reader) next() byte {
	for r.data[r.pos] <= ' ' {
		r.pos++
	}
	return r.data[r.pos]
}

// literal reads a number, true, false or null.
func (r *reader) literal() []byte {
	begin := r.pos
	for r.pos < len(r.data) && r.data[r.pos] > ' ' && r.data[r.pos] != ',' && r.data[r.pos] != ']' && r.data[r.pos] != '}' {
		r.pos++
	}
	return r.data[begin:r.pos]
}

// text reads a string.
func (r *reader) text() []byte {
	begin, simple := r.pos, true
	for r.pos++; r.data[r.pos] != '"'; r.pos++ {
		if r.data[r.pos] == '\\' {
			simple = false
			r.pos++
		}
	}
	r.pos++
	if raw := r.data[begin+1 : r.pos-1]; simple && utf8.Valid(raw) {
		return raw
	}
	var decoded string
	_ = json.Unmarshal(r.data[begin:r.pos], &decoded) // cannot fail: the document is valid
	return []byte(decoded)
}

func (r *reader) list() jsonValue {
	begin := len(r.values)
	for r.pos++; r.next() != ']'; r.comma() {
		v := r.value()
		r.values = append(r.values, v)
	}
	r.pos++
	list := jsonValue{kind: valueList, items: slices.Clone(r.values[begin:])}
	r.values = r.values[:begin]
	list.id = r.partID(&list)
	return list
}

func (r *reader) object() jsonValue {
	begin, beginKeys := len(r.values), len(r.keys)
	for r.pos++; r.next() != '}'; r.comma() {
		key := r.leaf(valueString, r.text())
		r.next() // the colon
		r.pos++
		r.keys = append(r.keys, mapKey{key.text, key.id})
		v := r.value()
		r.values = append(r.values, v)
	}
	r.pos++
	object := jsonValue{kind: valueMap}
	object.keys, object.items = sortedByKey(r.keys[beginKeys:], r.values[begin:])
	r.values, r.keys = r.values[:begin], r.keys[:beginKeys]
	object.id = r.partID(&object)
	return object
}

// comma skips a comma, if there is one.
func (r *reader) comma() {
	if r.next() == ',' {
		r.pos++
	}
}

// leaf returns a scalar value. Equal values share their text.
func (r *reader) leaf(kind valueKind, text []byte) jsonValue {
	r.name = append(append(r.name[:0], byte(kind)), text...)
	id := r.id(r.name)
	return jsonValue{kind: kind, id: id, text: r.names[id][1:]}
}

// partID returns the id of a list or map. Its name consists of the ids of its items.
func (r *reader) partID(v *jsonValue) int32 {
	name := r.part[:0]
	name = append(name, byte(v.kind))
	for i := range v.items {
		if v.kind == valueMap {
			name = binary.LittleEndian.AppendUint32(name, uint32(v.keys[i].id))
		}
		name = binary.LittleEndian.AppendUint32(name, uint32(v.items[i].id))
	}
	r.part = name
	return r.id(name)
}

// number keeps the literal of a number, but 1 and 1.0 have the same id.
func (r *reader) number(literal []byte) jsonValue {
	v := r.leaf(valueNumber, canonical(literal))
	if v.text != string(literal) {
		v.text = string(literal)
	}
	return v
}

// id returns the id of the value with a name. Only equal values have equal names.
func (r *reader) id(name []byte) int32 {
	if id, ok := r.ids[string(name)]; ok {
		return id
	}
	id := int32(len(r.names))
	r.names = append(r.names, string(name))
	r.ids[r.names[id]] = id
	return id
}

// sortedByKey returns copies of the keys and items of a map, sorted by key. Of duplicate
// keys it keeps the last one, as encoding/json does.
func sortedByKey(keys []mapKey, items []jsonValue) ([]mapKey, []jsonValue) {
	if increasing(keys) {
		return slices.Clone(keys), slices.Clone(items)
	}
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return strings.Compare(keys[i].text, keys[j].text) })
	sortedKeys, sortedItems := make([]mapKey, 0, len(keys)), make([]jsonValue, 0, len(keys))
	for n, i := range order {
		if n+1 < len(order) && keys[order[n+1]].id == keys[i].id {
			continue
		}
		sortedKeys, sortedItems = append(sortedKeys, keys[i]), append(sortedItems, items[i])
	}
	return sortedKeys, sortedItems
}

func increasing(keys []mapKey) bool {
	for i := 1; i < len(keys); i++ {
		if keys[i-1].text >= keys[i].text {
			return false
		}
	}
	return true
}
