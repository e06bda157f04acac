package patch

import (
	"bytes"
	"strconv"
)

// This file finds its way in the text of a document that is as encoding/json writes
// it. Places are offsets of the first byte of a value.

// below returns where the value is to which a token leads from a place.
func below(document []byte, at int, token string) (int, bool) {
	switch document[at] {
	case '{':
		from, ok := memberOf(document, at, token)
		return from, ok && from > 0
	case '[':
		index, err := strconv.Atoi(token)
		if err != nil || strconv.Itoa(index) != token {
			return 0, false
		}
		return element(document, at, index)
	}
	return 0, false
}

// memberOf returns where the value of an object's member is, 0 if there is none. It
// gives up on keys that are escaped.
func memberOf(document []byte, at int, name string) (int, bool) {
	at++
	for document[at] != '}' {
		end := skip(document, at)
		key := document[at+1 : end-1]
		if bytes.IndexByte(key, '\\') >= 0 {
			return 0, false
		}
		if string(key) == name {
			return end + 1, true
		}
		if at = skip(document, end+1); document[at] == ',' {
			at++
		}
	}
	return 0, true
}

// element returns where an element of a list is.
func element(document []byte, at, index int) (int, bool) {
	at++
	for document[at] != ']' {
		if index == 0 {
			return at, true
		}
		index--
		if at = skip(document, at); document[at] == ',' {
			at++
		}
	}
	return 0, false
}

// skip returns where the value at a place ends.
func skip(document []byte, at int) int {
	depth := 0
	for {
		switch c := document[at]; c {
		case '"':
			at = skipText(document, at)
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
		default:
			n := bytes.IndexAny(document[at:], ",:{}[]\"")
			if depth == 0 && n > 0 {
				return at + n // a number or a word
			}
			at += max(n, 1)
		}
		if depth == 0 {
			return at
		}
	}
}

// skipText returns where the text at a place ends.
func skipText(document []byte, at int) int {
	for at++; ; {
		at += bytes.IndexByte(document[at:], '"')
		escapes := at
		for document[escapes-1] == '\\' {
			escapes--
		}
		if at++; (at-1-escapes)%2 == 0 {
			return at
		}
	}
}
