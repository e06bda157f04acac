package limits

import "unicode/utf8"

// ending is the end of a text that was cut.
const ending = "... (truncated)"

// Cut returns the text, or, if it is longer than size bytes, its beginning and
// a note that it was truncated. It cuts between characters. If size is less
// than the length of the note, it returns the note alone.
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
