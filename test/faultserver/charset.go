package faultserver

import (
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// transcoder writes UTF-8 in another encoding, block by block. Bytes that are
// not UTF-8 count as U+FFFD each.
type transcoder struct {
	w       io.Writer
	encode  func([]byte, rune) []byte // appends a rune
	rest    []byte                    // of a rune that has not arrived as a whole
	encoded []byte                    // used again for every block
}

func (t *transcoder) Write(p []byte) (int, error) {
	text := p
	if len(t.rest) > 0 {
		text = append(t.rest, p...)
		t.rest = nil
	}
	for utf8.FullRune(text) {
		t.encoded = t.encoded[:0]
		for len(t.encoded) < block && utf8.FullRune(text) {
			r, size := utf8.DecodeRune(text)
			t.encoded, text = t.encode(t.encoded, r), text[size:]
		}
		if _, err := t.w.Write(t.encoded); err != nil {
			return 0, err
		}
	}
	t.rest = append(t.rest, text...)
	return len(p), nil
}

// flush writes what never became a rune.
func (t *transcoder) flush() error {
	var encoded []byte
	for range t.rest {
		encoded = t.encode(encoded, utf8.RuneError)
	}
	_, err := t.w.Write(encoded)
	return err
}

// appendUTF16 has the little end first.
func appendUTF16(encoded []byte, r rune) []byte {
	var units [2]uint16
	for _, unit := range utf16.AppendRune(units[:0], r) {
		encoded = append(encoded, byte(unit), byte(unit>>8))
	}
	return encoded
}

// appendLatin1 keeps the low byte.
func appendLatin1(encoded []byte, r rune) []byte { return append(encoded, byte(r)) }
