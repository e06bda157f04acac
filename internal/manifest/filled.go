package manifest

import (
	"fmt"
	"io"
	"iter"
)

// Filled is Files, but yields an error for every path without a document, so
// that a truncated file is not taken for an empty one.
func Filled(paths []string, stdin io.Reader) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		for _, path := range paths {
			empty := true
			for d, err := range Files([]string{path}, stdin) {
				empty = false
				if !yield(d, err) {
					return
				}
			}
			if empty && !yield(nil, fmt.Errorf("%s: holds no documents", FileName(path))) {
				return
			}
		}
	}
}
