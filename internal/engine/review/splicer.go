package review

import "encoding/json"

// splicer appends fields to the JSON of an object that has at least one field.
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

// textField appends a field whose value is a string.
func (s *splicer) textField(name, value string) {
	s.text(`,"`, name, `":`)
	s.quoted(value)
}

// optionalField is textField, but omits an empty value.
func (s *splicer) optionalField(name, value string) {
	if value != "" {
		s.textField(name, value)
	}
}

// objectField appends a field whose value is an object of strings, given as
// names and values.
func (s *splicer) objectField(name string, pairs ...string) {
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

// quoted appends a string as encoding/json does.
func (s *splicer) quoted(text string) {
	if isPlain(text) {
		s.text(`"`, text, `"`)
		return
	}
	// Encoding a string cannot fail.
	encoded, _ := json.Marshal(text)
	s.buf = append(s.buf, encoded...)
}

// isPlain reports whether encoding/json writes a string without escapes.
func isPlain(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ', c > '~', c == '"', c == '\\', c == '<', c == '>', c == '&':
			return false
		}
	}
	return true
}
