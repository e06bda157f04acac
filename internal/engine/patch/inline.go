package patch

import "bytes"

const (
	// maxInlineOperations bounds the operations of a patch that the engine
	// applies inline. Each may move all elements of a list.
	maxInlineOperations = 100
	// maxInlineWork is the number of bytes of JSON to process for such a patch.
	// At worst it takes some milliseconds.
	maxInlineWork = 256 << 10
)

// Quick reports whether it takes no more than a few milliseconds to apply a
// patch and to decode the result. The engine applies other patches on a
// separate goroutine, because it cannot interrupt a patch: 10 small patches take
// 1.4 times as long there.
//
// For each operation the library parses each level of the path, with everything
// below it.
func Quick(operations Operations, document []byte) bool {
	if len(operations) >= maxInlineOperations {
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
	if size > maxInlineWork/levels {
		return false
	}
	return size+bound(operations, document, maxInlineWork) <= maxInlineWork/levels
}
