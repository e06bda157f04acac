package patch

import (
	"bytes"
	"iter"
)

// The functions of this file read JSON as encoding/json writes it: valid, and
// without blanks.

func isObject(text []byte) bool { return len(text) > 0 && text[0] == '{' }

// shallow reports whether a text is not nested deeper than encoding/json reads
// and writes. Counting brackets is faster than finding the depth, and enough for
// most texts.
func shallow(text []byte) bool {
	const deepest = 10_000
	return bytes.Count(text, []byte{'{'})+bytes.Count(text, []byte{'['}) < deepest ||
		depthOf(text) < deepest
}

func depthOf(text []byte) (deepest int) {
	depth := 0
	for at := 0; at < len(text); at++ {
		switch text[at] {
		case '"':
			at = endOfString(text, at) - 1
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	return deepest
}

// members returns the names and values of an object, in order. A name may have
// escapes.
func members(object []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		for at := 1; object[at] != '}'; {
			colon := endOfString(object, at)
			end := endOfValue(object, colon+1)
			if !yield(object[at+1:colon-1], object[colon+1:end]) {
				return
			}
			if at = end; object[at] == ',' {
				at++
			}
		}
	}
}

// elements returns the elements of a list, in order.
func elements(list []byte) iter.Seq[[]byte] {
	return func(yield func(element []byte) bool) {
		for at := 1; list[at] != ']'; {
			end := endOfValue(list, at)
			if !yield(list[at:end]) {
				return
			}
			if at = end; list[at] == ',' {
				at++
			}
		}
	}
}

// plain reports whether encoding/json writes a string without escapes.
func plain[T string | []byte](text T) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ', c > '~', c == '"', c == '\\', c == '<', c == '>', c == '&':
			return false
		}
	}
	return true
}

// endOfValue returns the offset behind the value that starts at the offset at.
func endOfValue(text []byte, at int) int {
	for depth := 0; ; at++ {
		switch text[at] {
		case '"':
			at = endOfString(text, at) - 1
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth == 0 { // the end of the enclosing object or list
				return at
			}
			depth--
		case ',':
			if depth == 0 {
				return at
			}
			continue
		default:
			continue // a colon, or a part of a number or a word
		}
		if depth == 0 {
			return at + 1
		}
	}
}

// endOfString returns the offset behind the string that starts at the offset
// at.
func endOfString(text []byte, at int) int {
	for at++; ; {
		at += bytes.IndexByte(text[at:], '"')
		escapes := at
		for text[escapes-1] == '\\' {
			escapes--
		}
		if at++; (at-1-escapes)%2 == 0 {
			return at
		}
	}
}
