package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"sigs.k8s.io/yaml"
)

// APIVersion is that of every document that commands print for programs.
const APIVersion = "gatehouse/v1alpha1"

// Write writes a command's output, and says so if it cannot.
func Write(w io.Writer, text []byte) error {
	if _, err := io.Copy(w, bytes.NewReader(text)); err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	return nil
}

// Indented returns v as JSON that people may read and edit: markup stays what it is, and what
// cannot be seen, or what a terminal would obey, is an escape. An error is that of the
// encoding.
func Indented(v any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return visible(text.Bytes()), nil
}

// YAML returns v as YAML, whatever is in its texts: YAML does not have all characters that
// JSON has, and those are escapes, too. An error is that of the encoding.
func YAML(v any) ([]byte, error) {
	text, err := Indented(v)
	if err != nil {
		return nil, err
	}
	return yaml.JSONToYAML(text)
}

// visible replaces characters of JSON that are not to be seen by escapes. They are all in
// strings: JSON itself has none of them but line feeds.
func visible(text []byte) []byte {
	seen := func(r rune) bool { return r == '\n' || unicode.IsPrint(r) }
	if bytes.IndexFunc(text, func(r rune) bool { return !seen(r) }) < 0 {
		return text
	}
	var out []byte
	for _, r := range string(text) {
		switch {
		case seen(r):
			out = utf8.AppendRune(out, r)
		case r <= 0xFFFF:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		}
	}
	return out
}
