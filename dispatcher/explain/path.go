package explain

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Path is the path from the root of an object to a part of it: keys of maps and
// indexes of lists. A parsed Path may contain wildcards, each of which matches
// one key or index. The zero Path is the root. A Path is immutable.
type Path struct{ steps []pathStep }

// pathStep is one key or index. A number in a JSON pointer is either, depending
// on the object.
type pathStep struct {
	kind stepKind
	// text is the key, or the index in digits.
	text string
}

type stepKind uint8

const (
	stepKey stepKind = 1 + iota
	stepIndex
	stepEither
	stepAny
)

func keyStep(name string) pathStep { return pathStep{stepKey, name} }

func indexStep(i int) pathStep { return pathStep{stepIndex, strconv.Itoa(i)} }

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
	case s.kind != stepKey:
		return fmt.Appendf(text, "[%s]", s.text)
	case !plainKey.MatchString(s.text):
		return appendQuoted(text, s.text)
	case len(text) > 0:
		text = append(text, '.')
	}
	return append(text, s.text...)
}

// plainKey matches keys that need no quotes.
var plainKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

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

// Covers reports whether p matches other or one of its parents.
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
	if s.kind == stepAny || other.kind == stepAny {
		return s.kind == stepAny
	}
	return s.text == other.text &&
		(s.kind == other.kind || s.kind == stepEither || other.kind == stepEither)
}
