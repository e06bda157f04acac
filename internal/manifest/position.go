package manifest

import (
	"fmt"
	"strings"
)

// Position says where a document was found.
type Position struct {
	// File is the file's path as it was given, or StandardInput.
	File string
	// Number counts the documents of the file that are not empty, from 1. The
	// items of a list share the number of the list.
	Number int
	// Line is the line on which the document starts, from 1: its first line
	// that is not blank and not a comment.
	Line int
}

// StandardInput is the file name of documents that came from standard input.
const StandardInput = "standard input"

// FileName returns what messages call a path: "-" is StandardInput.
func FileName(path string) string {
	if path == "-" {
		return StandardInput
	}
	return path
}

// String returns for example "pods.yaml: document 2 (line 14)".
func (p Position) String() string {
	return fmt.Sprintf("%s: document %d (line %d)", p.File, p.Number, p.Line)
}

// at returns the same document with another line, if that line is known.
func (p Position) at(line int) Position {
	if line > 0 {
		p.Line = line
	}
	return p
}

// positioned is an error that says where it happened, on one line.
type positioned struct {
	where Position
	err   error
}

func blame(p Position, err error) error { return &positioned{where: p, err: err} }

// Error returns position and cause. What parsers spread over several lines is
// drawn together: an error that is printed in a list must not look like two.
func (e *positioned) Error() string {
	return e.where.String() + ": " + strings.Join(strings.Fields(e.err.Error()), " ")
}

func (e *positioned) Unwrap() error { return e.err }
