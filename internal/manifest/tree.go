package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
)

// tree is a JSON value that is parsed on demand, each part once, because a
// document may have thousands of parts.
type tree struct {
	raw json.RawMessage
	// members are the fields or items by "name" or "[3]"; nil before the first
	// use. Of duplicate fields it is the last one.
	members map[string]*tree
}

// at returns the value at a path, nil if there is none.
func (t *tree) at(path string) *tree {
	for t != nil && path != "" {
		var step string
		step, path = cutPath(path)
		t = t.member(step)
	}
	return t
}

func (t *tree) member(step string) *tree {
	if t.members == nil {
		t.members = map[string]*tree{}
		for name, at := range members(t.raw) {
			t.members[name] = &tree{raw: t.raw[at.start:at.end:at.end]}
		}
	}
	return t.members[step]
}

// cutPath returns the first step of a path that is not empty, a name or an
// index in brackets, and the rest of the path.
func cutPath(path string) (step, rest string) {
	end := strings.IndexAny(path[1:], ".[") + 1
	if end == 0 {
		return path, ""
	}
	return path[:end], strings.TrimPrefix(path[end:], ".")
}

// span is a part of a text, from start up to and without end.
type span struct{ start, end int }

// members yields the path step and the span of each field of a JSON object, or
// of each item of a list; nothing for other values.
func members(raw []byte) iter.Seq2[string, span] {
	return func(yield func(string, span) bool) {
		decoder := json.NewDecoder(bytes.NewReader(raw))
		opening, err := decoder.Token()
		if err != nil || opening != json.Delim('{') && opening != json.Delim('[') {
			return
		}
		for i := 0; decoder.More(); i++ {
			step := fmt.Sprintf("[%d]", i)
			if opening == json.Delim('{') {
				key, err := decoder.Token()
				if err != nil {
					return
				}
				step = fmt.Sprint(key)
			}
			var value json.RawMessage
			if err := decoder.Decode(&value); err != nil {
				return
			}
			end := int(decoder.InputOffset())
			if !yield(step, span{end - len(value), end}) {
				return
			}
		}
	}
}

// replace returns a JSON value in which the value at a path is another one. It
// returns the value itself if there is nothing at the path.
func replace(raw []byte, path string, by []byte) []byte {
	if path == "" {
		return by
	}
	step, rest := cutPath(path)
	var found *span
	for name, at := range members(raw) {
		if name == step {
			found = &at
		}
	}
	if found == nil {
		return raw
	}
	value := replace(raw[found.start:found.end], rest, by)
	return bytes.Join([][]byte{raw[:found.start], value, raw[found.end:]}, nil)
}

// fieldAround returns the path of the innermost value that contains a byte of a
// JSON value.
func fieldAround(raw []byte, offset int) string {
	for step, at := range members(raw) {
		if at.start <= offset && offset < at.end {
			return join(step, fieldAround(raw[at.start:at.end], offset-at.start))
		}
	}
	return ""
}
