package client

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"strconv"
)

// serverBuffer is the size up to which net/http's server buffers a body to compute its
// Content-Length before it sends the header.
const serverBuffer = 2 << 10

// response returns the response as a client would receive it, or the error with which
// the handler ended.
func (r *recorder) response(req *http.Request, handlerErr error) (*http.Response, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if handlerErr != nil {
		r.closed = true
		return nil, handlerErr
	}
	r.writeHeader(http.StatusOK)
	length := r.finalLength()
	r.finalizeHeader()
	// A header without values, such as a suppressed Content-Type, is not sent.
	maps.DeleteFunc(r.sentHeader, func(_ string, values []string) bool { return len(values) == 0 })
	r.closed = true
	return &http.Response{
		Status:        statusLine(r.status),
		StatusCode:    r.status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        r.sentHeader,
		Body:          r.bodyReader(),
		ContentLength: length,
		Request:       req,
	}, nil
}

// finalLength returns the ContentLength of the response. A body that fits the server's
// buffer is counted, a larger one is chunked. Caller must hold r.mu.
func (r *recorder) finalLength() int64 {
	switch {
	case !allowsBody(r.status):
		return 0
	case r.length != unknownLength:
		return r.length
	case r.chunked || r.body.Len() > serverBuffer:
		return unknownLength
	}
	n := r.body.Len()
	r.sentHeader.Set("Content-Length", strconv.Itoa(n))
	return int64(n)
}

// bodyReader returns the body. It ends with an error if the handler wrote less than its
// Content-Length. Caller must hold r.mu.
func (r *recorder) bodyReader() io.ReadCloser {
	body := io.Reader(bytes.NewReader(r.body.Bytes()))
	if allowsBody(r.status) && r.length > int64(r.body.Len()) {
		body = io.MultiReader(body, unexpectedEOF{})
	}
	return io.NopCloser(body)
}

// unexpectedEOF is the end of a body whose connection was closed.
type unexpectedEOF struct{}

func (unexpectedEOF) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// allowsBody reports whether a response of that status may have a body.
func allowsBody(status int) bool {
	return status >= 200 && status != http.StatusNoContent && status != http.StatusNotModified
}

// statusLine returns the status as net/http's server writes it.
func statusLine(status int) string {
	text := http.StatusText(status)
	if text == "" {
		text = "status code " + strconv.Itoa(status)
	}
	return strconv.Itoa(status) + " " + text
}
