package faultserver

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
)

// errEnough ends the making of a body of which no more is wanted.
var errEnough = errors.New("enough has been written")

// write makes the body piece by piece: bodies may be much larger than what the
// process that tests itself with them is allowed to hold.
func (b *Body) write(w io.Writer, v *values) error {
	if b == nil {
		return nil
	}
	if !b.Gzip {
		return b.writePlain(w, v)
	}
	// A gzip file may have several members, so that padding can be compressed
	// once and written many times.
	member := gzip.NewWriter(w)
	content := &counter{w: member}
	if err := b.writeContent(content, v); err != nil {
		return err
	}
	if err := member.Close(); err != nil {
		return err
	}
	return b.writeBomb(w, member, content.n)
}

func (b *Body) writePlain(w io.Writer, v *values) error {
	content := &counter{w: w}
	if err := b.writeContent(content, v); err != nil {
		return err
	}
	spaces := bytes.Repeat([]byte(" "), block)
	for left := b.Pad - content.n; left > 0 || b.Endless; left -= block {
		n := int64(block)
		if !b.Endless {
			n = min(n, left)
		}
		if _, err := w.Write(spaces[:n]); err != nil {
			return err
		}
	}
	return nil
}

// bomb is how many spaces one member of a compressed padding holds.
const bomb = 1 << 20

// writeBomb pads with further members. The compressor is lent, because making
// one takes a megabyte.
func (b *Body) writeBomb(w io.Writer, compressor *gzip.Writer, written int64) error {
	left := b.Pad - written
	if left <= 0 && !b.Endless {
		return nil
	}
	whole := compressSpaces(compressor, bomb)
	for ; left >= bomb || b.Endless; left -= bomb {
		if _, err := w.Write(whole); err != nil {
			return err
		}
	}
	if left <= 0 {
		return nil
	}
	_, err := w.Write(compressSpaces(compressor, left))
	return err
}

func compressSpaces(compressor *gzip.Writer, n int64) []byte {
	var member bytes.Buffer
	compressor.Reset(&member)
	spaces := bytes.Repeat([]byte(" "), block)
	for ; n > 0; n -= block {
		_, _ = compressor.Write(spaces[:min(n, block)]) // a buffer takes everything
	}
	_ = compressor.Close()
	return member.Bytes()
}

// writeContent writes what the body says before padding and compression.
func (b *Body) writeContent(w io.Writer, v *values) error {
	if b.Keep != nil {
		w = &limiter{w: w, left: *b.Keep}
	}
	err := b.encode(w, v)
	if b.Keep != nil && errors.Is(err, errEnough) {
		return nil
	}
	return err
}

func (b *Body) encode(w io.Writer, v *values) error {
	switch b.Charset {
	case "":
		return b.say(w, v)
	case "utf-8-bom":
		if _, err := io.WriteString(w, "\uFEFF"); err != nil {
			return err
		}
		return b.say(w, v)
	}
	text := &transcoder{w: w, encode: appendLatin1}
	if b.Charset == "utf-16le" {
		text.encode = appendUTF16
		if _, err := w.Write(appendUTF16(nil, '\uFEFF')); err != nil {
			return err
		}
	}
	if err := b.say(text, v); err != nil {
		return err
	}
	return text.flush()
}

func (b *Body) say(w io.Writer, v *values) error {
	switch {
	case b.Review != nil:
		return b.Review.write(w, v)
	case b.Bytes != nil:
		_, err := w.Write(b.Bytes)
		return err
	}
	return b.Text.write(w, v.fill)
}

// counter counts what passes through it.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// sink counts bytes and drops them, until abandoned reports an error.
type sink struct {
	n         int64
	abandoned func() error // returns why to stop
}

func (s *sink) Write(p []byte) (int, error) {
	s.n += int64(len(p))
	return len(p), s.abandoned()
}

// limiter lets so many bytes through and then says errEnough.
type limiter struct {
	w    io.Writer
	left int64
}

func (l *limiter) Write(p []byte) (int, error) {
	if int64(len(p)) <= l.left {
		l.left -= int64(len(p))
		return l.w.Write(p)
	}
	n, err := l.w.Write(p[:l.left])
	l.left = 0
	if err != nil {
		return n, err
	}
	return n, errEnough
}
