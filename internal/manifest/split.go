package manifest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
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
	// start is the line on which something other than blanks and comments
	// stands; 0 if there is none.
	start int
	// invalid is the first line that is not UTF-8, or 0.
	invalid int
}

// splitter cuts YAML and JSON streams at their separators. A line that begins
// with "---" or "..." and then ends or continues with a blank is one, wherever
// it stands: YAML forbids it even within quotes and block scalars, and JSON has
// no strings that span lines.
type splitter struct {
	input *bufio.Reader
	line  int
	// held is the separator line that ended the previous piece, when it also
	// begins the next: "--- {a: b}".
	held []byte
}

func newSplitter(r io.Reader) *splitter { return &splitter{input: bufio.NewReader(r)} }

// next returns the next piece that is not empty. It returns io.EOF after the
// last one; after any other error the rest of the input cannot be read.
func (s *splitter) next() (piece, error) {
	for {
		p, err := s.cut()
		if p.start > 0 && (err == nil || errors.Is(err, io.EOF)) {
			return p, nil
		}
		if err != nil {
			return piece{}, err
		}
	}
}

// cut returns everything up to the next separator, or to the end.
func (s *splitter) cut() (piece, error) {
	p := piece{first: s.line + 1}
	if s.held != nil {
		p.first = s.line
		p.add(s.held)
		s.held = nil
	}
	for {
		line, err := s.read(maxPiece - len(p.content))
		if separates(line) {
			if blank(line[len("---"):]) {
				return p, err
			}
			s.held = line
			return p, unlessEOF(err)
		}
		p.add(line)
		if err != nil {
			return p, err
		}
	}
}

// read returns the next line with its line break. The last line comes together
// with io.EOF.
func (s *splitter) read(limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := s.input.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > limit {
			return nil, fmt.Errorf("line %d: more than %d MiB without a separator line (---)", s.line+1, maxPiece>>20)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if len(line) > 0 {
			s.line++
		}
		// Files that were joined with cat have byte order marks in the middle,
		// where they would hide a separator.
		return bytes.TrimPrefix(line, []byte("\ufeff")), err
	}
}

// unlessEOF forgets the end of the input, which will be met again.
func unlessEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
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

// blank reports whether a line, or what is left of it, says nothing.
func blank(line []byte) bool {
	text := bytes.TrimLeft(line, " \t\r\n")
	return len(text) == 0 || text[0] == '#'
}
