package manifest

import (
	"bytes"
	"unicode/utf8"
)

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

// piece returns the next piece of a YAML or JSON stream that is not empty; its
// start is 0 at the end of the input. The error is errLarge if the piece has
// more bytes than the limit: then it is as long as whole lines fit in. After
// another error the rest of the input cannot be read.
//
// A line that begins with "---" or "..." and then ends or continues with a
// blank is a separator, wherever it stands: YAML forbids it even within quotes
// and block scalars, and JSON has no strings that span lines. If text follows,
// as in "--- {a: b}", the line belongs to the next piece.
func (in *input) piece(limit int) (piece, error) {
	for p := (piece{first: in.line}); ; {
		n, err := in.next(limit - len(p.content))
		if n == 0 || err != nil {
			return p, err
		}
		// Files that were joined with cat have byte order marks in the middle,
		// where they would hide a separator.
		line := bytes.TrimPrefix(in.buf[:n], []byte("\ufeff"))
		switch {
		case !separates(line):
		case p.start > 0:
			return p, nil
		default:
			p = piece{first: in.line}
			if blank(line[len("---"):]) {
				p.first++
				in.take(n)
				continue
			}
		}
		if len(p.content) > 0 && len(p.content)+n > limit {
			return p, errLarge
		}
		p.add(line)
		in.take(n)
	}
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
