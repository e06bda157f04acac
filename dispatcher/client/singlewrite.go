package client

import (
	"bytes"
	"io"
	"net/http"
)

// singleWriteTransport sends header and body of a small review with a single
// write. net/http sends the header in a separate packet and TLS record, unless
// it knows the type of the body's reader and so that reading cannot block. It
// would also allocate a buffer for the body, which is the one that this
// transport allocates. With two writes, 100 clients get 0.85 times the
// throughput.
type singleWriteTransport struct{ wrapper }

// maxSingleWrite leaves 2 KiB of the transport's write buffer for the header.
const maxSingleWrite = writeBufferSize - 2<<10

// RoundTrip implements http.RoundTripper.
func (t singleWriteTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil || r.ContentLength <= 0 || r.ContentLength > maxSingleWrite {
		return t.next.RoundTrip(r)
	}
	buffer := make([]byte, r.ContentLength)
	_, err := io.ReadFull(r.Body, buffer)
	if closeErr := r.Body.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, err
	}
	buffered := r.WithContext(r.Context())
	buffered.Body = io.NopCloser(bytes.NewReader(buffer))
	return t.next.RoundTrip(buffered)
}
