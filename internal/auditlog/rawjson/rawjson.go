package rawjson

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Skip returns the index after the value that begins at i, after white space; -1 if it does
// not end.
func Skip(b []byte, i int) int {
	if i = space(b, i); i < 0 || i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		return skipContainer(b, i)
	case '}', ']', ',', ':':
		return -1
	}
	for i < len(b) && !ends[b[i]] {
		i++
	}
	return i
}

// ends are the characters after a literal.
var ends = [256]bool{',': true, '}': true, ']': true, ' ': true, '\t': true, '\n': true, '\r': true}

func skipString(b []byte, i int) int {
	for i++; ; {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		end := i + n
		slashes := 0
		for at := end - 1; at >= i && b[at] == '\\'; at-- {
			slashes++
		}
		if i = end + 1; slashes%2 == 0 {
			return i
		}
	}
}

// structural are the characters that skipContainer stops at.
var structural = [256]bool{'"': true, '{': true, '}': true, '[': true, ']': true}

func skipContainer(b []byte, i int) int {
	for depth := 0; i < len(b); {
		c := b[i]
		if !structural[c] {
			i++
			continue
		}
		switch c {
		case '"':
			if i = skipString(b, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		default:
			depth--
		}
		if i++; depth == 0 {
			return i
		}
	}
	return -1
}

// space returns the index of the first character from i on that is no white space.
func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// Members visits the members of the object that begins at i, after white space, until visit
// returns false. Keys are as they are in the JSON, without their quotes. It returns the index
// after the object, or -1 if it does not end, is no object, or visit returned false.
func Members(b []byte, i int, visit func(key, value []byte) bool) int {
	return elements(b, i, '{', '}', func(at int) int {
		if at >= len(b) || b[at] != '"' {
			return -1
		}
		end := skipString(b, at)
		if end < 0 {
			return -1
		}
		key := b[at+1 : end-1]
		if at = space(b, end); at >= len(b) || b[at] != ':' {
			return -1
		}
		at = space(b, at+1)
		if end = Skip(b, at); end < 0 || !visit(key, b[at:end]) {
			return -1
		}
		return end
	})
}

// Items visits the items of the list that b is, until visit returns false. It returns false
// if b is no list.
func Items(b []byte, visit func(item []byte) bool) bool {
	end := elements(b, 0, '[', ']', func(at int) int {
		end := Skip(b, at)
		if end < 0 || !visit(b[at:end]) {
			return -1
		}
		return end
	})
	return end >= 0
}

// elements visits the elements of an object or a list. element returns the index after the
// one that begins at an index; -1 stops.
func elements(b []byte, i int, open, end byte, element func(at int) int) int {
	if i = space(b, i); i >= len(b) || b[i] != open {
		return -1
	}
	if i = space(b, i+1); i < len(b) && b[i] == end {
		return i + 1
	}
	for {
		if i = element(i); i < 0 {
			return -1
		}
		if i = space(b, i); i >= len(b) {
			return -1
		}
		switch b[i] {
		case end:
			return i + 1
		case ',':
			i = space(b, i+1)
		default:
			return -1
		}
	}
}

// Lookup returns the value at the keys; nil if there is none. The keys of a list are its
// indexes.
func Lookup(b []byte, keys ...string) []byte {
	for _, key := range keys {
		if b = child(b, key); b == nil {
			return nil
		}
	}
	return b
}

func child(b []byte, key string) (found []byte) {
	if len(b) > 0 && b[0] == '[' {
		n, err := strconv.Atoi(key)
		if err != nil || n < 0 {
			return nil
		}
		Items(b, func(item []byte) bool {
			if n == 0 {
				found = item
			}
			n--
			return found == nil
		})
		return found
	}
	Members(b, 0, func(k, value []byte) bool {
		if string(k) == key || !plain(k) && unquoted(k) == key {
			found = value
		}
		return true
	})
	return found
}

// plain reports whether a string is its own text: encoding/json decodes escapes and
// replaces what is not UTF-8.
func plain(text []byte) bool { return bytes.IndexByte(text, '\\') < 0 && utf8.Valid(text) }

func unquoted(key []byte) string {
	var text string
	_ = json.Unmarshal(append(append([]byte{'"'}, key...), '"'), &text) // "" is no key that is sought
	return text
}

// Text returns the text of a string; empty for other values.
func Text(value []byte) string {
	if len(value) < len(`""`) || value[0] != '"' {
		return ""
	}
	inner := value[1 : len(value)-1]
	if plain(inner) {
		return string(inner)
	}
	var text string
	if json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}

var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// Keys returns the keys of a JSON pointer; nil for the whole document.
func Keys(pointer string) []string {
	var keys []string
	for begin := 0; begin < len(pointer); {
		end := begin + 1
		for end < len(pointer) && pointer[end] != '/' {
			end++
		}
		keys = append(keys, unescape.Replace(pointer[begin+1:end]))
		begin = end
	}
	return keys
}
