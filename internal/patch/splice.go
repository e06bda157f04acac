package patch

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"example.com/gatehouse/dispatcher/limits"
)

// Splice applies operations by writing their values into the text of the document.
// It takes on what webhooks mostly do, which is to add or replace members of
// objects and to append to lists, at places that are there; for everything else it
// returns false, and Apply decides. That parses and writes the whole document, of
// which here most is copied. The values of the results are the same; their form is
// not.
//
// The document has to be as encoding/json writes it: without blanks, and with every
// key once. What is in a value of the patch need not be; therefore no operation may
// lead to where an earlier one has been.
func Splice(operations Operations, document []byte, l *limits.Limits) ([]byte, bool) {
	if len(operations) > min(fewSplices, l.PatchOperations) || len(document) > shortDocument || len(document) == 0 || document[0] != '{' {
		return nil, false
	}
	var been [][]string
	for _, operation := range operations {
		kind := operation.Kind()
		value := operation["value"]
		way := tokensOf(operation, "path")
		pointer, err := operation.Path()
		if err != nil || kind != "add" && kind != "replace" || value == nil || len(*value) > shortDocument || len(way) == 0 || len(way) > maxDepth || pointer[0] != '/' {
			return nil, false
		}
		for _, before := range been {
			if n := min(len(before), len(way)); slices.Equal(before[:n], way[:n]) {
				return nil, false
			}
		}
		been = append(been, way)
		var ok bool
		if document, ok = spliceOne(document, way, *value, kind == "add"); !ok {
			return nil, false
		}
	}
	// Apply would escape what is spliced as it is, and measure that.
	const escaped = len(`\u003c`)
	return document, len(document) <= l.PatchedObject/escaped
}

// Each operation copies the document.
const (
	fewSplices    = 16
	shortDocument = 64 << 10
)

func spliceOne(document []byte, way []string, value []byte, add bool) ([]byte, bool) {
	at, last := 0, len(way)-1
	for _, token := range way[:last] {
		var ok bool
		if at, ok = below(document, at, token); !ok {
			return nil, false
		}
	}
	switch document[at] {
	case '{':
		return spliceMember(document, at, way[last], value)
	case '[':
		if !add || way[last] != "-" {
			return nil, false
		}
		end := skip(document, at) - 1
		return insert(document, end, "", value, document[end-1] != '['), true
	}
	return nil, false
}

// spliceMember sets a member of the object at a place. Replacing one that is not
// there adds it, as the library does.
func spliceMember(document []byte, at int, name string, value []byte) ([]byte, bool) {
	from, ok := memberOf(document, at, name)
	if !ok {
		return nil, false
	}
	if from > 0 {
		return slices.Concat(document[:from], value, document[skip(document, from):]), true
	}
	key, err := json.Marshal(name)
	if err != nil {
		return nil, false
	}
	end := skip(document, at) - 1
	return insert(document, end, string(key)+":", value, document[end-1] != '{'), true
}

// insert writes before the end of an object or a list.
func insert(document []byte, end int, key string, value []byte, comma bool) []byte {
	separator := ""
	if comma {
		separator = ","
	}
	return slices.Concat(document[:end], []byte(separator), []byte(key), value, document[end:])
}

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

// keepsKind reports whether no operation touches what says of which kind the
// document is.
func keepsKind(operations Operations) bool {
	for _, operation := range operations {
		for _, name := range []string{"path", "from"} {
			pointer, ok := operation[name]
			if !ok {
				continue
			}
			var text string
			if pointer == nil || json.Unmarshal(*pointer, &text) != nil || !strings.HasPrefix(text, "/") {
				return false
			}
			if first := tokensOf(operation, name)[0]; first == "kind" || first == "apiVersion" {
				return false
			}
		}
	}
	return true
}
