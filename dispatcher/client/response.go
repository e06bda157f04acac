package client

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"strconv"
)

// serverBuffer is how much net/http's server holds back in the hope of learning
// the Content-Length before it has to send the header.
const serverBuffer = 2 << 10

// response is the answer as a client would receive it, given how the handler
// ended.
func (r *recorder) response(req *http.Request, handlerErr error) (*http.Response, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if handlerErr != nil {
		r.closed = true
		return nil, handlerErr
	}
	r.commit(http.StatusOK)
	length := r.finalLength()
	r.completeHeader()
	// A header without values, such as a suppressed Content-Type, is not sent.
	maps.DeleteFunc(r.sent, func(_ string, values []string) bool { return len(values) == 0 })
	r.closed = true
	return &http.Response{
		Status:        statusLine(r.status),
		StatusCode:    r.status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        r.sent,
		Body:          r.reader(),
		ContentLength: length,
		Request:       req,
	}, nil
}

// finalLength is the length that the client is told. What fits the server's
// buffer is counted for the handler, the rest is chunked. Caller must hold r.mu.
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
	r.sent.Set("Content-Length", strconv.Itoa(n))
	return int64(n)
}

// reader returns the body. It breaks off with an error where the handler wrote
// less than it declared. Caller must hold r.mu.
func (r *recorder) reader() io.ReadCloser {
	body := io.Reader(bytes.NewReader(r.body.Bytes()))
	if allowsBody(r.status) && r.length > int64(r.body.Len()) {
		body = io.MultiReader(body, brokenOff{})
	}
	return io.NopCloser(body)
}

// brokenOff is the rest of a body whose connection has gone.
type brokenOff struct{}

func (brokenOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// allowsBody reports whether a response of that status may have a body.
func allowsBody(status int) bool {
	return status >= 200 && status != http.StatusNoContent && status != http.StatusNotModified
}

// statusLine is the status as net/http's server writes it.
func statusLine(status int) string {
	text := http.StatusText(status)
	if text == "" {
		text = "status code " + strconv.Itoa(status)
	}
	return strconv.Itoa(status) + " " + text
}
