package patch

import "bytes"

const (
	// fewOperations may be applied while somebody waits, if they are quick. Each
	// may move all elements of a list.
	fewOperations = 100
	// littleWork is how much JSON may be gone through meanwhile. At worst it
	// takes some milliseconds.
	littleWork = 256 << 10
)

// Quick reports whether a patch is applied, and its result decoded, within a few
// milliseconds. Others are better applied where nobody has to wait for them: a
// patch cannot be interrupted.
//
// The library parses what an operation touches level by level, and at each level
// all that is below.
func Quick(operations Operations, document []byte) bool {
	if len(operations) >= fewOperations {
		return false
	}
	size, levels := len(document), 1
	for _, operation := range operations {
		for name, raw := range operation {
			if raw == nil {
				continue
			}
			size += len(*raw)
			if name == "path" || name == "from" {
				// A backslash may stand for a slash.
				levels += bytes.Count(*raw, []byte{'/'}) + bytes.Count(*raw, []byte{'\\'})
			}
		}
	}
	if size > littleWork/levels {
		return false
	}
	return size+bound(operations, document, littleWork) <= littleWork/levels
}
