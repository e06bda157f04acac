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

// tail copies as much of a piece as fits, from a position in it on; nothing, and
// false, if there are no more pieces.
func (b *Body) tail(piece, at int, into []byte) (copied int, ok bool) {
	if b.origin == nil { // not filled
		return 0, false
	}
	var bytes []byte
	switch piece {
	case 0:
		return copy(into, b.start[at:]), true
	case 1:
		return copy(into, b.uid[at:]), true
	case 2:
		bytes = b.target
	case 3:
		bytes = b.origin.beforeObject
	case 4:
		bytes = b.object
	case 5:
		bytes = beforeOldObject
	case 6:
		bytes = b.oldObject
	case 7:
		bytes = b.origin.afterObjects
	default:
		return 0, false
	}
	return copy(into, bytes[at:]), true
}

// Len returns the number of bytes.
func (b *Body) Len() int {
	if b.origin == nil {
		return 0
	}
	return len(b.start) + len(b.uid) + len(b.target) + len(b.origin.beforeObject) +
		len(b.object) + len(beforeOldObject) + len(b.oldObject) + len(b.origin.afterObjects)
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
	for n < len(p) {
		copied, more := r.body.tail(r.piece, r.at, p[n:])
		if !more {
			break
		}
		n += copied
		r.at += copied
		if n < len(p) { // so that the piece is at its end
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
