package review

import "encoding/json"

// splicer appends the fields of an object that already has one.
type splicer struct{ buf []byte }

func (s *splicer) text(parts ...string) {
	for _, p := range parts {
		s.buf = append(s.buf, p...)
	}
}

// field appends a field whose value is JSON.
func (s *splicer) field(name string, value []byte) {
	s.text(`,"`, name, `":`)
	s.buf = append(s.buf, value...)
}

// word appends a field whose value is a text.
func (s *splicer) word(name, value string) {
	s.text(`,"`, name, `":`)
	s.quoted(value)
}

// optional is word, but for values that are not there.
func (s *splicer) optional(name, value string) {
	if value != "" {
		s.word(name, value)
	}
}

// words appends a field whose value is an object of texts, given as names and
// values.
func (s *splicer) words(name string, pairs ...string) {
	s.text(`,"`, name, `":{"`)
	for i := 0; i < len(pairs); i += 2 {
		if i > 0 {
			s.text(`,"`)
		}
		s.text(pairs[i], `":`)
		s.quoted(pairs[i+1])
	}
	s.text("}")
}

// quoted appends a text as encoding/json does.
func (s *splicer) quoted(text string) {
	if isPlain(text) {
		s.text(`"`, text, `"`)
		return
	}
	// A text always encodes.
	encoded, _ := json.Marshal(text)
	s.buf = append(s.buf, encoded...)
}

// isPlain reports whether nothing in a text has to be escaped.
func isPlain(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ', c > '~', c == '"', c == '\\', c == '<', c == '>', c == '&':
			return false
		}
	}
	return true
}
