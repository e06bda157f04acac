package manifest

import (
	"errors"
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

// positioned is an error with its position, on one line.
type positioned struct {
	where Position
	err   error
}

func blame(p Position, err error) error { return &positioned{where: p, err: err} }

// Error returns the position and the cause on one line, because callers print
// lists of errors.
func (e *positioned) Error() string {
	return e.where.String() + ": " + strings.Join(strings.Fields(e.err.Error()), " ")
}

func (e *positioned) Unwrap() error { return e.err }

// PositionOf returns the position that an error of this package has; that of
// the first one if err joins several. It reports whether there is one: an error
// about a whole file has none.
func PositionOf(err error) (Position, bool) {
	var p *positioned
	if !errors.As(err, &p) {
		return Position{}, false
	}
	return p.where, true
}
