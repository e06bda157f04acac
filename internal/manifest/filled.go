package manifest

import (
	"fmt"
	"io"
	"iter"
)

// Filled is Files for paths each of which has to hold a document: one that holds none is an
// error of its own, in its place. A file that was cut off must not look like
// one with nothing in it.
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
