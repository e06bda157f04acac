package corpus

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

const (
	// maxLine is the length of the longest line in bytes. An API server accepts
	// requests of 3 MiB; an entry may hold some versions of the object.
	maxLine = 32 << 20
	// maxSkipped is how much of a longer line is read to find its end. A small
	// compressed file may hold a line without an end.
	maxSkipped = 8 * maxLine
	// maxWindow is the largest window of zstd, which is read into memory. That
	// of zstd -19 is 8 MiB.
	maxWindow = 32 << 20
)

// zstdMagic begins a frame of zstd.
var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

var (
	errTooLong  = fmt.Errorf("the line is longer than %d MiB", maxLine>>20)
	errNoEnd    = fmt.Errorf("the line is longer than %d MiB; the rest of the file is not read", maxSkipped>>20)
	errNoObject = errors.New("the line is empty")
)

// lineReader returns the lines of a file.
type lineReader struct {
	lines *bufio.Reader
	zstd  *zstd.Decoder // nil if the file is not compressed
	line  []byte
	// over is set if nothing can be read after an error.
	over bool
}

func newLineReader(file io.Reader) (*lineReader, error) {
	const buffer = 64 << 10
	r := &lineReader{lines: bufio.NewReaderSize(file, buffer)}
	start, err := r.lines.Peek(len(zstdMagic))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if !bytes.Equal(start, zstdMagic) {
		return r, nil
	}
	r.zstd, err = zstd.NewReader(r.lines, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err == nil {
		r.lines = bufio.NewReaderSize(r.zstd, buffer)
	}
	return r, err
}

func (r *lineReader) close() {
	if r.zstd != nil {
		r.zstd.Close()
	}
}

// next returns the next line without its end, or io.EOF. The line is valid until
// the next call. After another error the next line can be read, unless over is
// set.
func (r *lineReader) next() ([]byte, error) {
	r.line = r.line[:0]
	for size := 0; ; {
		part, err := r.lines.ReadSlice('\n')
		size += len(part)
		if size <= maxLine+1 {
			r.line = append(r.line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull) && size > maxSkipped:
			r.over = true
			return nil, errNoEnd
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && size == 0:
			return nil, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			r.over = true
			return nil, r.broken(err)
		}
		// A file may end without a line break.
		r.over = err != nil
		line := bytes.TrimSuffix(r.line, []byte("\n"))
		switch {
		case size > maxLine+1:
			return nil, errTooLong
		case len(bytes.TrimSpace(line)) == 0:
			return nil, errNoObject
		}
		return line, nil
	}
}

// broken returns the error for an error of the decoder or of the file.
func (r *lineReader) broken(err error) error {
	if r.zstd == nil {
		return err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the file is cut off here: its compression has no end: %w", err)
	}
	return fmt.Errorf("the compression is broken; the rest of the file is not read: %w", err)
}
