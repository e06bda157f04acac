package client

import (
	"bytes"
	"io"
	"net/http"
)

// onePiece sends short reviews in one piece. net/http sends the header of a request
// by itself, in a packet and a TLS record of its own, unless it knows the type of
// the body's reader and so that reading cannot block. It would also need a buffer
// for the rest, which is the one that is made here.
type onePiece struct{ next http.RoundTripper }

// maxPiece leaves room for the header in the transport's write buffer.
const maxPiece = writeBuffer - 2<<10

// RoundTrip implements http.RoundTripper.
func (o onePiece) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil || r.ContentLength <= 0 || r.ContentLength > maxPiece {
		return o.next.RoundTrip(r)
	}
	piece := make([]byte, r.ContentLength)
	_, err := io.ReadFull(r.Body, piece)
	if closeErr := r.Body.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, err
	}
	whole := r.WithContext(r.Context())
	whole.Body = io.NopCloser(bytes.NewReader(piece))
	return o.next.RoundTrip(whole)
}

// WrappedRoundTripper returns what is inside.
func (o onePiece) WrappedRoundTripper() http.RoundTripper { return o.next }
