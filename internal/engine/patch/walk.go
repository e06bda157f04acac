package patch

import (
	"bytes"
	"iter"
)

// This file reads the text of objects and lists that are as encoding/json writes them:
// valid, and without blanks.

func isObject(text []byte) bool { return len(text) > 0 && text[0] == '{' }

// shallow reports whether a text is surely not deeper than encoding/json reads and writes.
func shallow(text []byte) bool {
	const deepest = 10_000
	return bytes.Count(text, []byte{'{'})+bytes.Count(text, []byte{'['}) < deepest
}

// members are the names and values of an object, in order. A name may have escapes.
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

// elements are the elements of a list, in order.
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

// plain reports whether encoding/json writes a string as it is.
func plain[T string | []byte](text T) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ', c > '~', c == '"', c == '\\', c == '<', c == '>', c == '&':
			return false
		}
	}
	return true
}

// endOfValue returns where the value ends that starts at an offset.
func endOfValue(text []byte, at int) int {
	for depth := 0; ; at++ {
		switch text[at] {
		case '"':
			at = endOfString(text, at) - 1
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth == 0 { // of what the value is in
				return at
			}
			depth--
		case ',':
			if depth == 0 {
				return at
			}
			continue
		default:
			continue // in a number or a word, or a colon
		}
		if depth == 0 {
			return at + 1
		}
	}
}

// endOfString returns where the string ends that starts at an offset.
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
