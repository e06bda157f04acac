package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// spool keeps an input that can be read once, so that it can be read again: a
// pipe. It holds its beginning in memory, and the rest in a temporary file
// without a name that only this user can read.
type spool struct {
	head []byte
	// file is nil if all is in head.
	file *os.File
	size int64
	// err says why the input could not be kept: what is left of it must not be
	// taken for all.
	err error
}

// newSpool reads all of the input that messages call name.
func newSpool(name string, r io.Reader) *spool {
	head := make([]byte, cutPiece)
	n, err := io.ReadFull(r, head)
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return &spool{head: bytes.Clone(head[:n])}
	case err != nil:
		return &spool{err: unreadable(name, err)}
	}
	s := &spool{head: head}
	if s.err = s.keepRest(name, r); s.err != nil {
		s.close()
	}
	return s
}

// keepRest copies what comes after the beginning to a file.
func (s *spool) keepRest(name string, r io.Reader) (err error) {
	if s.file, err = os.CreateTemp("", "gatehouse-*"); err != nil {
		return unkept(name, err)
	}
	// Where an open file cannot be removed, close does it.
	_ = os.Remove(s.file.Name())
	from := &readError{Reader: r}
	if s.size, err = io.Copy(s.file, from); err != nil && from.err == nil {
		return unkept(name, err)
	} else if err != nil {
		return unreadable(name, from.err)
	}
	return nil
}

// unkept is the error of the temporary file, which has a random name.
func unkept(name string, err error) error {
	return fmt.Errorf("%s: keeping it for a second reading in %s: %w", name, os.TempDir(), bare(err))
}

// readError remembers the error of a reader, which io.Copy does not tell from
// that of the writer.
type readError struct {
	io.Reader
	err error
}

func (r *readError) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}

// open opens the input at its beginning.
func (s *spool) open() (io.ReadCloser, error) {
	switch {
	case s.err != nil:
		return nil, s.err
	case s.file == nil:
		return io.NopCloser(bytes.NewReader(s.head)), nil
	}
	rest := io.NewSectionReader(s.file, 0, s.size)
	return io.NopCloser(io.MultiReader(bytes.NewReader(s.head), rest)), nil
}

func (s *spool) close() {
	if s.file != nil {
		_ = s.file.Close() // what was written has been read
		_ = os.Remove(s.file.Name())
	}
}
