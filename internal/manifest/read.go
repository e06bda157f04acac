package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// sink is the body of a range over documents. It reports whether to go on.
type sink = func(*Document, error) bool

// Documents reads the documents of r, in order; file is their file name. It
// yields either a document or an error, never both. After an error it goes on
// with the next document, if the input can be read further.
//
// If the file name ends in ".json" the input must be JSON; otherwise each part
// of it may be YAML or JSON.
func Documents(file string, r io.Reader) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		read(file, r, yield)
	}
}

// read reports whether the range over documents wants more.
func read(file string, r io.Reader, yield sink) bool {
	return (&documents{input: newInput(r), file: file, yield: yield, limit: cutPiece}).read()
}

func (d *documents) read() bool {
	for {
		p, err := d.piece(d.limit)
		switch {
		case errors.Is(err, errLarge):
			d.back(p)
			err = d.cut(p)
		case err == nil && p.start == 0:
			return true
		case err == nil:
			err = d.parse(p)
		}
		if errors.Is(err, errStopped) {
			return false
		}
		if err != nil {
			return d.yield(nil, fmt.Errorf("%s: read document %d: %w", d.file, d.number+1, err))
		}
	}
}

// documents yields the documents of an input.
type documents struct {
	*input
	file string
	// number counts the documents that are not empty.
	number int
	yield  sink
	// limit is cutPiece, and less in tests.
	limit int
}

// errStopped says that the range over documents wants no more.
var errStopped = errors.New("stopped")

func stopped(wanted bool) error {
	if !wanted {
		return errStopped
	}
	return nil
}

// at returns the position of the next document.
func (d *documents) at(line int) Position {
	return Position{File: d.file, Number: d.number + 1, Line: line}
}

// parse yields the documents of a piece.
func (d *documents) parse(p piece) error {
	values, line, err := parse(d.file, p)
	for i := range values {
		doc := &Document{Position: d.at(values[i].line), JSON: values[i].json, value: &values[i],
			outline: values[i].outline}
		d.number++
		if !doc.unpack(0, schema.GroupVersionKind{}, d.yield) {
			return errStopped
		}
	}
	if err == nil {
		return nil
	}
	at := d.at(p.start).at(line)
	d.number++
	return stopped(d.yield(nil, blame(at, err)))
}

// cut yields the documents of a piece that is not parsed whole if it can be cut.
func (d *documents) cut(p piece) error {
	switch {
	case d.startsJSON():
		return d.skipBroken(d.cutJSON())
	case d.startsList(p):
		return d.skipBroken(d.cutYAML(p))
	}
	p, err := d.piece(maxPiece)
	if errors.Is(err, errLarge) {
		err = tooLong(p.first + p.lines)
	}
	if err != nil {
		return err
	}
	return d.parse(p)
}

// startsJSON reports whether the piece in the buffer looks like JSON objects.
func (d *documents) startsJSON() bool {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(d.buf, " \t\r\n"), []byte("{"))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return ok && (bytes.HasPrefix(rest, []byte(`"`)) || bytes.HasPrefix(rest, []byte("}")))
}

// skipBroken yields an error about a document and takes the rest of the piece.
// Other errors are returned.
func (d *documents) skipBroken(err error) error {
	var broken *positioned
	if !errors.As(err, &broken) {
		return err
	}
	if !d.yield(nil, err) {
		return errStopped
	}
	for {
		n, err := d.next(d.limit)
		switch {
		case errors.Is(err, errLarge):
			n = len(d.buf)
		case err != nil || n == 0 || separates(d.buf[:n]):
			return err
		}
		d.take(n)
	}
}
