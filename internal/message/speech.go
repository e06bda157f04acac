package message

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
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

// Notice prints a message, which may consist of several lines, each with the
// name of the program. What cannot be seen, or what a terminal would obey, is an escape:
// messages quote files, and what webhooks say. That standard error cannot be written to
// is nothing that could be reported.
func Notice(stderr io.Writer, format string, args ...any) {
	for line := range strings.SplitSeq(fmt.Sprintf(format, args...), "\n") {
		fmt.Fprintf(stderr, "gatehouse: %s\n", escaped(line, "\t", "\t"))
	}
}

// Shown returns a text that others have written as a terminal may have it: with escapes in
// place of what cannot be seen or would be obeyed. Lines stay lines; those after the first
// are indented.
func Shown(text, indent string) string { return escaped(text, "\n", "\n"+indent) }

// escaped escapes the parts of a text, and puts something else between them.
func escaped(text, between, instead string) string {
	parts := strings.Split(text, between)
	for i, part := range parts {
		parts[i] = Escaped(part)
	}
	return strings.Join(parts, instead)
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

// Count is 1 case, 2 cases.
func Count(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

// Quoted returns a path as a shell takes it.
func Quoted(path string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+,@%", r)
	}
	if strings.TrimFunc(path, plain) == "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
