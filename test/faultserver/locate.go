package faultserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"unicode/utf8"
)

// at adds the place of an offset to an error.
func at(data []byte, offset int, err error) error {
	before := data[:offset]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return fmt.Errorf("line %d, column %d: %w", line, column, err)
}

// failure returns the offset of the token at which valid JSON stops being a
// script. Most errors of the decoder have no offset, such as those about unknown
// fields and those of types that decode themselves. But the decoder reports the
// first mistake. So a beginning of the document that ends before the mistake is a
// script if its objects and lists are closed, and one that ends after it is not.
func failure(data []byte) int {
	all := tokens(data)
	n := sort.Search(len(all)-1, func(n int) bool {
		_, err := decode([]byte(string(data[:all[n].end]) + all[n].rest))
		return err != nil
	})
	return all[n].begin
}

// token is a place where a document can be brought to an end.
type token struct {
	begin, end int
	rest       string // what makes the document whole after it
}

// tokens returns at least one, because the data is valid.
func tokens(data []byte) []token {
	const insignificant = " \t\r\n"
	var all []token
	closing := ""
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	for {
		from := data[decoder.InputOffset():]
		begin := len(data) - len(bytes.TrimLeft(from, insignificant+",:"))
		read, err := decoder.Token()
		if err != nil {
			return all
		}
		switch read {
		case json.Delim('{'):
			closing = "}" + closing
		case json.Delim('['):
			closing = "]" + closing
		case json.Delim('}'), json.Delim(']'):
			closing = closing[1:]
		}
		end := int(decoder.InputOffset())
		rest := closing
		if bytes.HasPrefix(bytes.TrimLeft(data[end:], insignificant), []byte(":")) {
			rest = ":null" + closing // for a name, which wants a value
		}
		all = append(all, token{begin, end, rest})
	}
}
