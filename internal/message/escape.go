package message

import (
	"strconv"
	"strings"
	"unicode"
)

// Escaped returns text with every character that is not printable replaced by
// its Go escape: control characters, which a terminal would obey, and those
// that change the direction of writing. Other characters, quotes included, stay
// as they are.
func Escaped(text string) string {
	var out strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			out.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRune(r)
		out.WriteString(quoted[1 : len(quoted)-1])
	}
	return out.String()
}
