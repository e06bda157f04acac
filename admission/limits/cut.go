package limits

import "unicode/utf8"

// ending is what a text ends with that was cut.
const ending = "... (truncated)"

// Cut returns a text of no more than size bytes. One that is longer is cut
// between two characters, and says so at its end. A size that has no room for
// that leaves nothing else.
func Cut(text string, size int) string {
	if len(text) <= size {
		return text
	}
	end := max(size-len(ending), 0)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + ending
}
