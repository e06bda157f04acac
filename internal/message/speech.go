package message

import (
	"fmt"
	"io"
	"strings"
)

// Notice prints a message, which may consist of several lines, each with the
// name of the program. What cannot be seen, or what a terminal would obey, is
// an escape: messages quote files, and what webhooks say. That standard error
// cannot be written to is nothing that could be reported.
func Notice(stderr io.Writer, format string, args ...any) {
	for line := range strings.SplitSeq(fmt.Sprintf(format, args...), "\n") {
		fmt.Fprintf(stderr, "gatehouse: %s\n", escaped(line, "\t", "\t"))
	}
}

// Shown returns a text that others have written as a terminal may have it: with
// escapes in place of what cannot be seen or would be obeyed. Lines stay lines;
// those after the first are indented.
func Shown(text, indent string) string { return escaped(text, "\n", "\n"+indent) }

// escaped escapes the parts of a text, and puts something else between them.
func escaped(text, between, instead string) string {
	parts := strings.Split(text, between)
	for i, part := range parts {
		parts[i] = Escaped(part)
	}
	return strings.Join(parts, instead)
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
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("/._-+,@%", r)
	}
	if strings.TrimFunc(path, plain) == "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// Cut cuts a text to a length in characters.
func Cut(text string, length int) string {
	characters, end := 0, 0
	for i := range text {
		switch characters {
		case length - 1:
			end = i
		case length:
			return text[:end] + "…"
		}
		characters++
	}
	return text
}
