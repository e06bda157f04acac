package review

import "io"

// Body is an encoded review. It consists of pieces, most of which it shares
// with other reviews of the request. It must not be filled twice.
//
// In one piece for each of 20 webhooks, the calls take 1.3 times as long, and
// with an object of 1 MiB 5 times.
type Body struct {
	start, uid        string
	target            []byte
	origin            *origin
	object, oldObject []byte
}

var beforeOldObject = []byte(`,"oldObject":`)

// pieces is the number of pieces of a filled Body.
const pieces = 8

// piece returns the nth piece, as a string or as bytes.
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

// count returns the number of pieces; 0 before Fill.
func (b *Body) count() int {
	if b.origin == nil {
		return 0
	}
	return pieces
}

// Bytes returns a copy of all bytes.
func (b *Body) Bytes() []byte {
	all := make([]byte, 0, b.Len())
	for n := range b.count() {
		text, bytes := b.piece(n)
		all = append(append(all, text...), bytes...)
	}
	return all
}

// Open returns a reader of the bytes, which need not be closed.
func (b *Body) Open() io.ReadCloser { return &bodyReader{body: b} }

type bodyReader struct {
	body  *Body
	piece int // to read next
	at    int // offset in it
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
