package review

import (
	"bytes"
	"io"
)

// Body is the bytes of a review in pieces, most of which it shares with other
// reviews. Once it is filled it does not change.
type Body struct {
	pieces [6][]byte
	size   int
}

var beforeOldObject = []byte(`,"oldObject":`)

func (b *Body) fill(pieces ...[]byte) {
	for i, piece := range pieces {
		b.pieces[i] = piece
		b.size += len(piece)
	}
}

// Len returns the number of bytes.
func (b *Body) Len() int { return b.size }

// Bytes returns a copy in one piece.
func (b *Body) Bytes() []byte {
	return bytes.Join(b.pieces[:], nil)
}

// Open returns what reads the bytes from the beginning. It need not be closed.
func (b *Body) Open() io.ReadCloser { return &bodyReader{body: b} }

type bodyReader struct {
	body  *Body
	piece int // that is read next
	at    int // in it
}

// Read implements io.Reader.
func (r *bodyReader) Read(p []byte) (n int, err error) {
	for n < len(p) && r.piece < len(r.body.pieces) {
		rest := r.body.pieces[r.piece][r.at:]
		copied := copy(p[n:], rest)
		n += copied
		r.at += copied
		if copied == len(rest) {
			r.piece, r.at = r.piece+1, 0
		}
	}
	if n == 0 && r.piece == len(r.body.pieces) {
		return 0, io.EOF
	}
	return n, nil
}

// Close implements io.Closer.
func (r *bodyReader) Close() error { return nil }
