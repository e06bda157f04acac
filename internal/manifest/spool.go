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
}

func newSpool(r io.Reader) (*spool, error) {
	s := &spool{head: make([]byte, cutPiece)}
	n, err := io.ReadFull(r, s.head)
	s.head = s.head[:n]
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return s, nil
	case err != nil:
		return nil, err
	}
	if s.file, err = os.CreateTemp("", "gatehouse-*"); err != nil {
		return nil, fmt.Errorf("keeping it for a second reading: %w", err)
	}
	// Where an open file cannot be removed, close does it.
	_ = os.Remove(s.file.Name())
	if s.size, err = io.Copy(s.file, r); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// reader reads the input from its beginning.
func (s *spool) reader() io.Reader {
	if s.file == nil {
		return bytes.NewReader(s.head)
	}
	return io.MultiReader(bytes.NewReader(s.head), io.NewSectionReader(s.file, 0, s.size))
}

func (s *spool) close() {
	if s.file != nil {
		_ = s.file.Close() // what was written has been read
		_ = os.Remove(s.file.Name())
	}
}
