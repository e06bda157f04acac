package client

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"sync"
)

// unknownLength is the ContentLength of responses without a Content-Length.
const unknownLength = -1

// recorder is the http.ResponseWriter of an in-process webhook. It follows the
// rules of net/http's server, and buffers the response until the handler
// returns. After that, or after the caller has returned, writes fail.
type recorder struct {
	// header belongs to the handler. Like net/http's it has no lock.
	header http.Header

	mu sync.Mutex
	// status is zero until the header is written; sentHeader is the header at
	// that time.
	status     int
	sentHeader http.Header
	// length is the handler's Content-Length.
	length int64
	body   bytes.Buffer
	// chunked says that the Content-Length is unknown to the server.
	chunked bool
	// headerFinal says that the header is sent: later writes do not change it.
	headerFinal bool
	// closed makes all writes fail.
	closed bool
}

func newRecorder() *recorder {
	return &recorder{header: http.Header{}, length: unknownLength}
}

// Header returns the header that the first write or WriteHeader sends.
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader sets status and header. Informational responses are dropped, as
// http.Client drops them; only the first final status counts.
func (r *recorder) WriteHeader(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if status < 100 || status > 999 {
		panic(fmt.Sprintf("the handler wrote the status code %d, which is not one", status))
	}
	if status < 200 && status != http.StatusSwitchingProtocols {
		return
	}
	r.writeHeader(status)
}

// Write appends to the body, after an implicit status 200.
func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.writeHeader(http.StatusOK)
	switch {
	case r.closed:
		return 0, errors.New("the webhook's call is over")
	case len(p) == 0:
		return 0, nil
	case !allowsBody(r.status):
		return 0, http.ErrBodyNotAllowed
	case r.length != unknownLength && int64(r.body.Len()+len(p)) > r.length:
		return 0, http.ErrContentLength
	}
	return r.body.Write(p)
}

// Flush sends the header, as far as a client can tell: the Content-Length is
// unknown from now on, and what has been written determines the Content-Type.
func (r *recorder) Flush() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.writeHeader(http.StatusOK)
	r.chunked = true
	r.finalizeHeader()
}

// finalizeHeader sets the Content-Type from the first bytes of the body. Caller
// must hold r.mu.
func (r *recorder) finalizeHeader() {
	if r.headerFinal {
		return
	}
	r.headerFinal = true
	_, typed := r.sentHeader["Content-Type"]
	if !typed && r.sentHeader.Get("Content-Encoding") == "" && r.body.Len() > 0 {
		r.sentHeader.Set("Content-Type", http.DetectContentType(r.body.Bytes()))
	}
}

// writeHeader writes the header if it has not been written. Caller must hold
// r.mu.
func (r *recorder) writeHeader(status int) {
	if r.status != 0 || r.closed {
		return
	}
	r.status = status
	r.sentHeader = r.header.Clone()
	declared := r.sentHeader.Get("Content-Length")
	if declared == "" {
		return
	}
	length, err := strconv.ParseInt(declared, 10, 64)
	if err != nil || length < 0 {
		r.sentHeader.Del("Content-Length")
		r.chunked = true
		return
	}
	r.length = length
}

// close makes all further writes fail.
func (r *recorder) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
}

// serverBuffer is the size up to which net/http's server buffers a body to
// compute its Content-Length before it sends the header.
const serverBuffer = 2 << 10

// response returns the response as a client would receive it.
func (r *recorder) response(req *http.Request) *http.Response {
	r.mu.Lock()
	defer r.mu.Unlock()
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
	}
}

// finalLength returns the ContentLength of the response. A body that fits the
// server's buffer is counted, a larger one is chunked. Caller must hold r.mu.
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

// bodyReader returns the body. It ends with an error if the handler wrote less
// than its Content-Length. Caller must hold r.mu.
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
