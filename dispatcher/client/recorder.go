package client

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
)

// unknownLength is the Content-Length of answers that do not declare one.
const unknownLength = -1

// recorder is the http.ResponseWriter of an in-process webhook. It keeps to the
// rules of net/http's server, and holds the answer until the handler has
// returned. From then on, and once the caller has gone, it takes nothing more.
type recorder struct {
	// header is the handler's to change. Like net/http's it is not guarded.
	header http.Header

	mu sync.Mutex
	// status is zero until the header is written; sent is the header as it was
	// then.
	status int
	sent   http.Header
	// length is the Content-Length that the handler declared.
	length int64
	body   bytes.Buffer
	// chunked says that the body's length cannot be worked out.
	chunked bool
	// complete says that the header has left: what comes later cannot add to it.
	complete bool
	// closed says that nothing more is taken.
	closed bool
}

func newRecorder() *recorder {
	return &recorder{header: http.Header{}, length: unknownLength}
}

// Header returns the header that the first write or WriteHeader will send.
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader fixes status and header. Informational responses are dropped, as
// clients drop them, and only the first final status counts.
func (r *recorder) WriteHeader(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if status < 100 || status > 999 {
		panic(fmt.Sprintf("the handler wrote the status code %d, which is not one", status))
	}
	if status < 200 && status != http.StatusSwitchingProtocols {
		return
	}
	r.commit(status)
}

// Write adds to the body, after an implicit status 200.
func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.commit(http.StatusOK)
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

// Flush sends the header, as far as clients can tell: the Content-Length is no
// longer known, and the Content-Type is decided by what has been written.
func (r *recorder) Flush() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.commit(http.StatusOK)
	r.chunked = true
	r.completeHeader()
}

// completeHeader adds the Content-Type that shows in what has been written.
// Caller must hold r.mu.
func (r *recorder) completeHeader() {
	if r.complete {
		return
	}
	r.complete = true
	_, typed := r.sent["Content-Type"]
	if !typed && r.sent.Get("Content-Encoding") == "" && r.body.Len() > 0 {
		r.sent.Set("Content-Type", http.DetectContentType(r.body.Bytes()))
	}
}

// commit writes the header if it has not been written. Caller must hold r.mu.
func (r *recorder) commit(status int) {
	if r.status != 0 || r.closed {
		return
	}
	r.status = status
	r.sent = r.header.Clone()
	declared := r.sent.Get("Content-Length")
	if declared == "" {
		return
	}
	length, err := strconv.ParseInt(declared, 10, 64)
	if err != nil || length < 0 {
		r.sent.Del("Content-Length")
		r.chunked = true
		return
	}
	r.length = length
}

// abandon refuses all further writes, because nobody will read them.
func (r *recorder) abandon() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
}
