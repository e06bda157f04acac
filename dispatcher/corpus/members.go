package corpus

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// member is a field of a JSON object.
type member struct {
	key string
	// name is the key as the text has it, with its quotes.
	name, value []byte
}

// members returns the fields of an object in JSON in their order, and those of other
// text as far as it is an object: the caller knows that the text is valid, or does not
// depend on it. It decodes nothing but keys.
func members(text []byte) iter.Seq[member] {
	return func(yield func(member) bool) {
		rest, ok := bytes.CutPrefix(trimLeft(text), []byte("{"))
		for ok {
			var m member
			if rest = trimLeft(rest); len(rest) == 0 || rest[0] != '"' {
				return
			}
			m.name, rest = cutValue(rest)
			if rest, ok = bytes.CutPrefix(trimLeft(rest), []byte(":")); !ok {
				return
			}
			m.value, rest = cutValue(trimLeft(rest))
			m.key = keyOf(m.name)
			if !yield(m) {
				return
			}
			rest, ok = bytes.CutPrefix(trimLeft(rest), []byte(","))
		}
	}
}

func trimLeft(text []byte) []byte {
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\t' || text[0] == '\r' || text[0] == '\n') {
		text = text[1:]
	}
	return text
}

// keyOf returns the key of a name.
func keyOf(name []byte) (key string) {
	if !bytes.ContainsRune(name, '\\') {
		return strings.Trim(string(name), `"`)
	}
	_ = json.Unmarshal(name, &key) // the key of text that is not valid does not matter
	return key
}

// cutValue cuts the value that text begins with.
func cutValue(text []byte) (value, rest []byte) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = endOfString(text, i)
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth--; depth < 0 {
				return text[:i], text[i:]
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return text[:i], text[i:]
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			i = min(i+1, len(text))
			return text[:i], text[i:]
		}
	}
	return text, nil
}

// endOfString returns the index of the quote that ends the string at i.
func endOfString(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

// plainString returns a string in JSON; false if it has escapes or is none.
func plainString(text []byte) (string, bool) {
	inner, begins := bytes.CutPrefix(text, []byte(`"`))
	inner, ends := bytes.CutSuffix(inner, []byte(`"`))
	if !begins || !ends || bytes.ContainsAny(inner, `"\`) || !utf8.Valid(inner) {
		return "", false
	}
	return string(inner), true
}

// valueOf returns the last value of a key; nil if there is none.
func valueOf(all []member, key string) []byte {
	for _, m := range slices.Backward(all) {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// sorted returns an object with the fields sorted by their keys, of each the last.
func sorted(all []member) []byte {
	slices.SortStableFunc(all, func(a, b member) int { return strings.Compare(a.key, b.key) })
	text := []byte("{")
	for i, m := range all {
		if i+1 < len(all) && all[i+1].key == m.key {
			continue
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(append(append(text, m.name...), ':'), m.value...)
	}
	return append(text, '}')
}
