package explain

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Path is the path from the root of an object to a part of it: keys of maps and
// indexes of lists. A parsed Path may contain wildcards, each of which matches
// one key or index, and items of lists that are named by their keys. The zero
// Path is the root. A Path is immutable.
type Path struct{ steps []pathStep }

// pathStep is one key or index. A number in a JSON pointer is either, depending
// on the object.
type pathStep struct {
	kind stepKind
	// text is the key, or the index in digits.
	text string
	// keys identify an item of a list.
	keys []itemKey
}

// itemKey is a key of an item of a list, with its value. An empty name stands
// for the item itself.
type itemKey struct{ name, value string }

type stepKind uint8

const (
	stepKey stepKind = 1 + iota
	stepIndex
	stepEither
	stepAny
	stepItem
)

func keyStep(name string) pathStep { return pathStep{kind: stepKey, text: name} }

func indexStep(i int) pathStep { return pathStep{kind: stepIndex, text: strconv.Itoa(i)} }

// Key returns the path of a key of the map at p.
func (p Path) Key(name string) Path { return p.with(keyStep(name)) }

// Index returns the path of an item of the list at p.
func (p Path) Index(i int) Path { return p.with(indexStep(i)) }

// Parent returns the path without its last step; false if p is the root.
func (p Path) Parent() (Path, bool) {
	if len(p.steps) == 0 {
		return Path{}, false
	}
	return Path{p.steps[:len(p.steps)-1]}, true
}

// with copies the steps, so that paths that extend p do not share memory.
func (p Path) with(s pathStep) Path {
	return Path{append(p.steps[:len(p.steps):len(p.steps)], s)}
}

// String returns the path in the form spec.containers[0].image. A key with
// other characters than letters, digits, hyphens and underscores is quoted, as
// in metadata.annotations['example.com/x']. The root is the empty string.
// ParsePath is the inverse.
func (p Path) String() string {
	var text []byte
	for i := range p.steps {
		text = p.steps[i].appendTo(text)
	}
	return string(text)
}

func (s *pathStep) appendTo(text []byte) []byte {
	switch {
	case s.kind == stepAny:
		return append(text, "[*]"...)
	case s.kind == stepItem:
		return s.appendItem(text)
	case s.kind != stepKey:
		return fmt.Appendf(text, "[%s]", s.text)
	case !plainKey.MatchString(s.text):
		return appendQuoted(text, s.text)
	case len(text) > 0:
		text = append(text, '.')
	}
	return append(text, s.text...)
}

// plainKey matches keys that need no quotes, and literal the values of keys of
// items that are no strings.
var (
	plainKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
	literal  = regexp.MustCompile(`^(-?[0-9]+|true|false)$`)
)

// appendQuoted uses single quotes, because paths are typed into shells and
// printed in JSON. It escapes unprintable characters, which could control a
// terminal.
func appendQuoted(text []byte, key string) []byte {
	inner := strconv.Quote(key)
	inner = strings.ReplaceAll(inner[1:len(inner)-1], `\"`, `"`)
	text = append(text, "['"...)
	text = append(text, strings.ReplaceAll(inner, `'`, `\'`)...)
	return append(text, "']"...)
}

func (s *pathStep) appendItem(text []byte) []byte {
	separator := byte('[')
	for _, k := range s.keys {
		text = append(append(append(text, separator), k.name...), '=')
		if literal.MatchString(k.value) {
			text = append(text, k.value...)
		} else {
			text = strconv.AppendQuote(text, k.value)
		}
		separator = ','
	}
	return append(text, ']')
}

// Covers reports whether p matches other or one of its parents. It cannot see
// the object: an item that is named by its keys matches every index (see
// Explanation.ForPath).
func (p Path) Covers(other Path) bool {
	if len(p.steps) > len(other.steps) {
		return false
	}
	for i := range p.steps {
		if !p.steps[i].matches(&other.steps[i]) {
			return false
		}
	}
	return true
}

// matches reports whether s matches other. A number that was parsed from a JSON
// pointer matches both a key and an index.
func (s *pathStep) matches(other *pathStep) bool {
	switch {
	case s.kind == stepAny || other.kind == stepAny:
		return s.kind == stepAny
	case s.kind == stepItem && other.kind == stepItem:
		return slices.Equal(s.keys, other.keys)
	case s.kind == stepItem:
		return other.kind == stepIndex || other.kind == stepEither
	}
	return s.text == other.text &&
		(s.kind == other.kind || s.kind == stepEither || other.kind == stepEither)
}
