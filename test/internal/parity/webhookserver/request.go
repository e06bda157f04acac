package webhookserver

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"time"

	"example.com/gatehouse/test/internal/parity/scenario"
)

// Request is a request as it came.
type Request struct {
	Method string
	// Path and Query are the two parts of the address, Query as it was sent.
	Path  string
	Query string
	// Proto is HTTP/1.1 or HTTP/2.0.
	Proto string
	Host  string
	// Header is everything but Host.
	Header http.Header
	// Length is the Content-Length, -1 if there was none.
	Length int64
	Body   []byte
}

// serve chooses the response. It reads the whole request first; only then does
// net/http notice that a client disconnects.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	asked := Request{
		Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Proto: r.Proto, Host: r.Host,
		Header: r.Header.Clone(), Length: r.ContentLength, Body: body,
	}
	script := s.enter(asked)
	defer s.leave()
	if answers := script[r.URL.Path]; len(answers) > 0 {
		s.serveAnswers(w, r, asked, answers)
		return
	}
	if r.URL.Path == "/readyz" {
		_, _ = io.WriteString(w, "ok")
		return
	}
	if handle := named(r.URL.Path); handle != nil {
		s.serveNamed(w, r, body, handle)
		return
	}
	http.NotFound(w, r)
}

// serveAnswers gives the first answer that fits.
func (s *Server) serveAnswers(
	w http.ResponseWriter, r *http.Request, asked Request, answers []scenario.Answer,
) {
	review := newReview(asked.Body)
	for i := range answers {
		if !review.fits(answers[i].When) {
			continue
		}
		if answers[i].Late {
			s.wait(r, asked)
			leave()
		}
		give(w, r, review, &answers[i])
		return
	}
	http.Error(w, "no answer fits", http.StatusInternalServerError)
}

// give sends an answer.
func give(w http.ResponseWriter, r *http.Request, asked *review, a *scenario.Answer) {
	if !sleep(r, a.Delay.Duration) {
		leave()
	}
	if a.Reset {
		panic(http.ErrAbortHandler) // closes an HTTP/1.1 connection and resets an HTTP/2 stream
	}
	w.Header().Set("Content-Type", "application/json")
	for name, value := range a.Header {
		w.Header().Set(name, value)
	}
	status := a.Status
	if status == 0 {
		status = http.StatusOK
	}
	content := asked.content(a)
	if a.Gzip {
		w.Header().Set("Content-Encoding", "gzip")
		content = compressed(content)
	}
	w.WriteHeader(status)
	_, _ = w.Write(content)
}

func compressed(content []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b) // a buffer takes all that is written
	_, _ = z.Write(content)
	_ = z.Close()
	return b.Bytes()
}

// leave aborts a request whose client has disconnected. A client that is still
// closing its connection would otherwise take a response for one in time.
func leave() { panic(http.ErrAbortHandler) }

// sleep reports whether the client is still there afterwards. A client of a
// server that is closed is not.
func sleep(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}
