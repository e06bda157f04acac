package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	// maxPiece bounds what is held in memory at once. The largest object that
	// kube-apiserver accepts is a tenth of it.
	maxPiece = 32 << 20
	// cutPiece is the size from which on lists and JSON are read in pieces.
	// What is smaller is parsed whole.
	cutPiece = 1 << 20
	// readSize is how much is read at a time.
	readSize = 64 << 10
	// firstSize is how much is read first: most inputs are small.
	firstSize = 4 << 10
)

// errLarge says that a line or value has more bytes than asked for.
var errLarge = errors.New("too large")

// input is a reader that can look ahead, and counts lines.
type input struct {
	r io.Reader
	// buf is what was read and not taken, and err what ended it.
	buf []byte
	err error
	// size is the least capacity of the next buf.
	size int
	// line is the number of the line in which buf begins, from 1.
	line int
}

func newInput(r io.Reader) *input { return &input{r: r, size: firstSize, line: 1} }

// fill reads more into buf. It reports whether there was more; otherwise err is
// set.
func (in *input) fill() bool {
	if in.err != nil {
		return false
	}
	if len(in.buf) == cap(in.buf) {
		grown := make([]byte, len(in.buf), max(2*len(in.buf), in.size))
		copy(grown, in.buf)
		in.buf, in.size = grown, 4*readSize
	}
	n, err := in.r.Read(in.buf[len(in.buf):cap(in.buf)])
	in.buf, in.err = in.buf[:len(in.buf)+n], err
	return n > 0 || err == nil
}

// failure returns what ended the input, unless it is its end.
func (in *input) failure() error {
	if errors.Is(in.err, io.EOF) {
		return nil
	}
	return in.err
}

// take takes the next n bytes, which are valid until the next call.
func (in *input) take(n int) []byte {
	taken := in.buf[:n]
	in.buf = in.buf[n:]
	in.line += bytes.Count(taken, []byte("\n"))
	return taken
}

// next returns the length of the next line with its line break, 0 at the end of
// the input. The error is errLarge if it has more bytes than the limit.
func (in *input) next(limit int) (int, error) {
	for seen := 0; ; {
		if i := bytes.IndexByte(in.buf[seen:], '\n'); i >= 0 {
			return seen + i + 1, nil
		}
		if seen = len(in.buf); seen > limit {
			return 0, errLarge
		}
		if !in.fill() {
			return seen, in.failure()
		}
	}
}

// back gives back what was taken last.
func (in *input) back(p piece) {
	in.buf = bytes.Join([][]byte{p.content, in.buf}, nil)
	in.line = p.first
}

// skipBlanks takes blanks and byte order marks, and returns the byte after
// them; false at the end of the input.
func (in *input) skipBlanks() (byte, bool) {
	for {
		for i, c := range in.buf {
			if bytes.IndexByte([]byte(" \t\r\n\xef\xbb\xbf"), c) < 0 {
				in.take(i)
				return c, true
			}
		}
		in.take(len(in.buf))
		if !in.fill() {
			return 0, false
		}
	}
}

// value takes the next JSON value as far as its brackets and quotes say, or
// else a byte. The error is errLarge if it has more bytes than the limit.
func (in *input) value(limit int) ([]byte, error) {
	var b brackets
	for i := 0; ; i++ {
		for i == len(in.buf) {
			if !in.fill() {
				return in.take(i), in.failure()
			}
		}
		switch before, ended := b.ends(in.buf[i]); {
		case ended && before:
			return in.take(max(i, 1)), nil
		case ended:
			return in.take(i + 1), nil
		case i >= limit:
			return nil, errLarge
		}
	}
}

// brackets finds the end of a JSON value.
type brackets struct {
	depth           int
	quoted, escaped bool
}

// ends takes the next byte of a value. It reports whether the value ends with
// it, or before it.
func (b *brackets) ends(c byte) (before, ended bool) {
	switch {
	case b.escaped:
		b.escaped = false
	case b.quoted && c == '\\':
		b.escaped = true
	case c == '"':
		b.quoted = !b.quoted
		return false, !b.quoted && b.depth == 0
	case b.quoted:
	case c == '{' || c == '[':
		b.depth++
	case c == '}' || c == ']':
		b.depth--
		return b.depth < 0, b.depth <= 0
	case b.depth == 0 && bytes.IndexByte([]byte(",: \t\r\n"), c) >= 0:
		return true, true
	}
	return false, false
}

func tooLong(line int) error {
	return fmt.Errorf("line %d: more than %d MiB without a separator line (---); a List may be larger "+
		"in JSON, and in the YAML that kubectl prints", line, maxPiece>>20)
}
