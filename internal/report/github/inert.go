package github

import (
	"strings"
	"unicode"
)

// Inert returns a line that is not a workflow command, whatever it quotes. The
// runner treats a line as one if it begins with "::" after any space, or, in
// the original syntax, if it contains "##[".
func Inert(line string) string {
	line = withoutLegacy(line)
	text := strings.TrimLeftFunc(line, unicode.IsSpace)
	if strings.HasPrefix(text, "::") {
		return line[:len(line)-len(text)] + ": " + text[1:]
	}
	return line
}

// withoutLegacy returns a text without workflow commands of the original
// syntax.
func withoutLegacy(text string) string { return strings.ReplaceAll(text, "##[", "## [") }
