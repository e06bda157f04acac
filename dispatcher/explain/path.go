package explain

import (
	"strconv"
	"strings"
)

// Path is the path from the root of an object to a part of it: keys of maps and indexes
// of lists. A parsed Path may contain wildcards, each of which matches one key or index.
// The zero Path is the root. A Path is immutable.
type Path struct{ steps []pathStep }

// pathStep is one key or index. A number in a JSON pointer is either, depending on the
// object.
type pathStep struct {
	kind  stepKind
	key   string
	index int
}

type stepKind uint8

const (
	stepKey    stepKind = 1 + iota
	stepIndex           // Invariant: key is empty.
	stepEither          // Invariant: key is index, in digits.
	stepAny
)

// Key returns the path of a key of the map at p.
func (p Path) Key(name string) Path { return p.with(pathStep{kind: stepKey, key: name}) }

// Index returns the path of an item of the list at p.
func (p Path) Index(i int) Path { return p.with(pathStep{kind: stepIndex, index: i}) }

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

// String returns the path in the form spec.containers[0].image. A key with other
// characters than letters, digits, hyphens and underscores is quoted, as in
// metadata.annotations['example.com/x']. The root is the empty string. ParsePath is the
// inverse.
func (p Path) String() string {
	var text []byte
	for i := range p.steps {
		text = p.steps[i].appendTo(text)
	}
	return string(text)
}

func (s *pathStep) appendTo(text []byte) []byte {
	switch s.kind {
	case stepAny:
		return append(text, "[*]"...)
	case stepIndex, stepEither:
		text = append(text, '[')
		text = strconv.AppendInt(text, int64(s.index), 10)
		return append(text, ']')
	case stepKey:
	}
	if !plainKey(s.key) {
		return appendQuoted(text, s.key)
	}
	if len(text) > 0 {
		text = append(text, '.')
	}
	return append(text, s.key...)
}

// plainKey reports whether a key needs no quotes.
func plainKey(key string) bool {
	for i := range len(key) {
		c := key[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-':
		default:
			return false
		}
	}
	return key != ""
}

// appendQuoted uses single quotes, because paths are typed into shells and printed in
// JSON. It escapes unprintable characters, which could control a terminal.
func appendQuoted(text []byte, key string) []byte {
	inner := strconv.Quote(key)
	inner = strings.ReplaceAll(inner[1:len(inner)-1], `\"`, `"`)
	text = append(text, "['"...)
	text = append(text, strings.ReplaceAll(inner, `'`, `\'`)...)
	return append(text, "']"...)
}

// Pointer returns the path as a JSON pointer (RFC 6901), for example
// /spec/containers/0/image. JSON pointers have no wildcards; Pointer writes *, which
// ParsePath parses as a wildcard.
func (p Path) Pointer() string {
	var text strings.Builder
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	for _, s := range p.steps {
		text.WriteByte('/')
		switch s.kind {
		case stepAny:
			text.WriteByte('*')
		case stepIndex:
			text.WriteString(strconv.Itoa(s.index))
		case stepKey, stepEither:
			text.WriteString(escape.Replace(s.key))
		}
	}
	return text.String()
}

// Matches reports whether p, with its wildcards, matches the path other. A number that
// was parsed from a JSON pointer matches both a key and an index.
func (p Path) Matches(other Path) bool {
	return len(p.steps) == len(other.steps) && p.Covers(other)
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

func (s *pathStep) matches(other *pathStep) bool {
	switch {
	case s.kind == stepAny:
		return true
	case other.kind == stepAny:
		return false
	case s.kind == stepIndex || other.kind == stepIndex:
		return s.kind != stepKey && other.kind != stepKey && s.index == other.index
	}
	return s.key == other.key
}
