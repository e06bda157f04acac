package auditlog

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine bounds a line, or a document of several lines. Servers accept requests of up to
// 3 MiB, which an event has twice, and escaped; a batch of events for a webhook has up to
// 10 MiB.
const maxLine = 32 << 20

// bufferSize is the size of the parts in which a file is read.
const bufferSize = 256 << 10

// lines reads a file by lines.
type lines struct {
	r *bufio.Reader
	// line is the number of the current line, and size that of the bytes read.
	line int
	size int64
	// long is the memory for lines that are longer than the buffer.
	long []byte
	// back is a line that was read too early.
	back []byte
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, bufferSize)} }

// errLong is the error of a line with more than maxLine bytes.
var errLong = errors.New("the line is longer than 32 MiB")

// next returns the next line without its line feed, which is valid until the next call.
func (l *lines) next() ([]byte, error) {
	l.line++
	if line := l.back; line != nil {
		l.back = nil
		return line, nil
	}
	part, err := l.r.ReadSlice('\n')
	l.size += int64(len(part))
	if !errors.Is(err, bufio.ErrBufferFull) {
		return ended(part, err)
	}
	l.long = append(l.long[:0], part...)
	for errors.Is(err, bufio.ErrBufferFull) {
		part, err = l.r.ReadSlice('\n')
		l.size += int64(len(part))
		if len(l.long) <= maxLine {
			l.long = append(l.long, part...)
		}
	}
	if len(l.long) > maxLine {
		l.long = nil
		return nil, errLong
	}
	return ended(l.long, err)
}

// ended returns a line. The end of the file ends the last one.
func ended(line []byte, err error) ([]byte, error) {
	if errors.Is(err, io.EOF) && len(line) > 0 {
		err = nil
	}
	return bytes.TrimSuffix(line, []byte("\n")), err
}

// document returns the rest of a document that begins with a line "{", as tools print it
// that indent JSON: all up to the line "}". A line that begins with "{" is the next document,
// and this one is cut off.
func (l *lines) document(first []byte) ([]byte, error) {
	document := append(bytes.Clone(first), '\n')
	for {
		line, err := l.next()
		if err != nil {
			return document, err
		}
		if len(line) > 0 && line[0] == '{' {
			l.back = bytes.Clone(line)
			l.line--
			return document, nil
		}
		if document = append(append(document, line...), '\n'); len(document) > maxLine {
			return nil, errLong
		}
		if len(line) > 0 && line[0] == '}' {
			return document, nil
		}
	}
}

// waits reports whether the next line has not been read from the file yet.
func (l *lines) waits() bool { return l.back == nil && l.r.Buffered() == 0 }
