package manifest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"
)

// maxPiece bounds what is held in memory at once. The largest object that
// kube-apiserver accepts is a tenth of it; a list may hold many.
const maxPiece = 32 << 20

// piece is the input between two separators.
type piece struct {
	content []byte
	// first is the line number of the first line of content, lines how many
	// lines there are.
	first, lines int
	// start is the first line with more than blanks and comments; 0 if there is
	// none.
	start int
	// invalid is the first line that is not UTF-8, or 0.
	invalid int
}

// pieces cuts a YAML or JSON stream at its separators, and yields the pieces
// that are not empty. After an error the rest of the input cannot be read.
//
// A line that begins with "---" or "..." and then ends or continues with a
// blank is a separator, wherever it stands: YAML forbids it even within quotes
// and block scalars, and JSON has no strings that span lines. If text follows,
// as in "--- {a: b}", the line belongs to the next piece.
func pieces(r io.Reader) iter.Seq2[piece, error] {
	return func(yield func(piece, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, maxPiece)
		lines.Split(splitLines)
		p, number := piece{first: 1}, 0
		for lines.Scan() {
			number++
			// Files that were joined with cat have byte order marks in the
			// middle, where they would hide a separator.
			line := bytes.TrimPrefix(lines.Bytes(), []byte("\ufeff"))
			if separates(line) {
				if p.start > 0 && !yield(p, nil) {
					return
				}
				p = piece{first: number}
				if blank(line[len("---"):]) {
					p.first++
					continue
				}
			}
			if len(p.content)+len(line) > maxPiece {
				yield(piece{}, tooLong(number))
				return
			}
			p.add(line)
		}
		switch err := lines.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			yield(piece{}, tooLong(number+1))
		case err != nil:
			yield(piece{}, err)
		case p.start > 0:
			yield(p, nil)
		}
	}
}

// splitLines is bufio.ScanLines, but keeps the line break.
func splitLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i+1], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

func tooLong(line int) error {
	return fmt.Errorf("line %d: more than %d MiB without a separator line (---)", line, maxPiece>>20)
}

func (p *piece) add(line []byte) {
	number := p.first + p.lines
	if p.start == 0 && !blank(line) {
		p.start = number
	}
	if p.invalid == 0 && !utf8.Valid(line) {
		p.invalid = number
	}
	p.content = append(p.content, line...)
	p.lines++
}

// separates reports whether a line ends a document.
func separates(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("---")) && !bytes.HasPrefix(line, []byte("...")) {
		return false
	}
	return len(line) == 3 || bytes.IndexByte([]byte(" \t\r\n"), line[3]) >= 0
}

// blank reports whether a line has nothing but blanks and a comment.
func blank(line []byte) bool {
	text := bytes.TrimLeft(line, " \t\r\n")
	return len(text) == 0 || text[0] == '#'
}
