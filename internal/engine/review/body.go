package review

import "io"

// Body is the bytes of a review in pieces, most of which it shares with other
// reviews. Once it is filled it does not change.
type Body struct {
	// start and uid are strings because that is what there is already.
	start, uid        string
	target            []byte
	origin            *origin
	object, oldObject []byte
}

var beforeOldObject = []byte(`,"oldObject":`)

// pieces is how many there are.
const pieces = 8

// piece returns a piece: a text or bytes.
func (b *Body) piece(n int) (text string, bytes []byte) {
	switch n {
	case 0:
		return b.start, nil
	case 1:
		return b.uid, nil
	case 2:
		return "", b.target
	case 3:
		return "", b.origin.beforeObject
	case 4:
		return "", b.object
	case 5:
		return "", beforeOldObject
	case 6:
		return "", b.oldObject
	default:
		return "", b.origin.afterObjects
	}
}

// Len returns the number of bytes.
func (b *Body) Len() int {
	size := 0
	for n := range b.count() {
		text, bytes := b.piece(n)
		size += len(text) + len(bytes)
	}
	return size
}

// count returns how many pieces there are to read: none before it is filled.
func (b *Body) count() int {
	if b.origin == nil {
		return 0
	}
	return pieces
}

// Bytes returns the bytes in one piece, which is the caller's.
func (b *Body) Bytes() []byte {
	all := make([]byte, 0, b.Len())
	for n := range b.count() {
		text, bytes := b.piece(n)
		all = append(append(all, text...), bytes...)
	}
	return all
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
	for n < len(p) && r.piece < r.body.count() {
		text, bytes := r.body.piece(r.piece)
		copied := copy(p[n:], text[min(r.at, len(text)):])
		copied += copy(p[n:], bytes[min(r.at, len(bytes)):])
		n += copied
		r.at += copied
		if r.at == len(text)+len(bytes) {
			r.piece, r.at = r.piece+1, 0
		}
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// Close implements io.Closer.
func (r *bodyReader) Close() error { return nil }
