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

// APIVersion is the version of every document that commands print for programs.
const APIVersion = "gatehouse/v1alpha1"

// Write writes the output of a command. Its error says that it is about the
// output.
func Write(w io.Writer, text []byte) error {
	if _, err := io.Copy(w, bytes.NewReader(text)); err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	return nil
}

// Indented returns v as indented JSON. It does not escape markup, but escapes
// characters that are not printable, which a terminal might interpret. The
// error is that of the encoding.
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

// WriteJSON writes v as Indented returns it.
func WriteJSON(w io.Writer, v any) error {
	text, err := Indented(v)
	if err != nil {
		return fmt.Errorf("encoding the output: %w", err)
	}
	return Write(w, text)
}

// YAML returns v as YAML. Characters that are not printable, some of which YAML
// does not permit, are escaped. The error is that of the encoding.
func YAML(v any) ([]byte, error) {
	text, err := Indented(v)
	if err != nil {
		return nil, err
	}
	return yaml.JSONToYAML(text)
}

// visible escapes the characters of JSON that are not printable. All but line
// feeds are within strings.
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
