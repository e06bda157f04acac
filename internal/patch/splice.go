package patch

import (
	"encoding/json"
	"slices"

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
		if slices.ContainsFunc(been, func(before []string) bool { return meet(before, way) }) {
			return nil, false
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

// meet reports whether one of two ways may lead along the whole of the other. What
// is appended to a list may be any of its elements afterwards.
func meet(a, b []string) bool {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] && a[i] != "-" && b[i] != "-" {
			return false
		}
	}
	return true
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
