package review

import (
	"bytes"
	"encoding/base64"
	"strconv"
)

// scanner reads JSON. After a failure its results are meaningless.
type scanner struct {
	rest   []byte
	failed bool
}

// object reads an object of at most eight members with different names.
func (s *scanner) object(member func(name []byte)) {
	var seen [8][]byte
	n := 0
	s.members(func(name []byte) {
		for _, one := range seen[:n] {
			s.failed = s.failed || bytes.Equal(one, name)
		}
		if n == len(seen) || s.failed {
			s.failed = true
			return
		}
		seen[n] = name
		n++
		member(name)
	})
}

// members reads an object.
func (s *scanner) members(member func(name []byte)) {
	s.list('{', '}', func() {
		name := s.quoted()
		s.expect(':')
		member(name)
	})
}

func (s *scanner) textList() []string {
	list := []string{}
	s.list('[', ']', func() { list = append(list, s.text()) })
	return list
}

// list reads elements separated by commas.
func (s *scanner) list(open, end byte, element func()) {
	s.expect(open)
	if s.next() == end {
		s.expect(end)
		return
	}
	for !s.failed {
		element()
		if s.next() != ',' {
			break
		}
		s.expect(',')
	}
	s.expect(end)
}

// text reads a string without escapes.
func (s *scanner) text() string {
	quoted := s.quoted()
	for _, one := range []string{apiVersionV1, reviewKind} { // usual, and need no copy
		if string(quoted) == one {
			return one
		}
	}
	return string(quoted)
}

func (s *scanner) base64() []byte {
	encoded := s.quoted()
	decoded := make([]byte, base64.StdEncoding.DecodedLen(len(encoded)))
	n, err := base64.StdEncoding.Decode(decoded, encoded)
	s.failed = s.failed || err != nil
	return decoded[:n]
}

func (s *scanner) quoted() []byte {
	s.expect('"')
	for i, c := range s.rest {
		switch {
		case c == '"':
			text := s.rest[:i]
			s.rest = s.rest[i+1:]
			return text
		case c == '\\' || c < ' ':
			s.failed = true
			return nil
		}
	}
	s.failed = true
	return nil
}

func (s *scanner) boolean() bool {
	for _, word := range []string{"true", "false"} {
		if s.next() == word[0] && len(s.rest) >= len(word) && string(s.rest[:len(word)]) == word {
			s.rest = s.rest[len(word):]
			return word == "true"
		}
	}
	s.failed = true
	return false
}

// number reads a natural number of at most nine digits, which an int32 holds.
func (s *scanner) number() int32 {
	s.skipBlanks()
	n := 0
	for n < len(s.rest) && n < 9 && s.rest[n] >= '0' && s.rest[n] <= '9' {
		n++
	}
	value, err := strconv.Atoi(string(s.rest[:n]))
	s.failed = s.failed || err != nil || s.rest[0] == '0' && n > 1
	s.rest = s.rest[n:]
	return int32(value)
}

// expect reads one character.
func (s *scanner) expect(c byte) {
	if s.next() != c {
		s.failed = true
		return
	}
	s.rest = s.rest[1:]
}

// next returns the next character that is not blank without reading it; 0 at
// the end.
func (s *scanner) next() byte {
	s.skipBlanks()
	if s.failed || len(s.rest) == 0 {
		return 0
	}
	return s.rest[0]
}

func (s *scanner) skipBlanks() {
	for len(s.rest) > 0 {
		switch s.rest[0] {
		case ' ', '\n', '\r', '\t':
			s.rest = s.rest[1:]
		default:
			return
		}
	}
}
