package main

import (
	"bytes"
	"net/http"
	"time"
)

// memory is all webhooks in this process: a transport that reads the review and
// answers.
type memory struct {
	answers answers
	reader  *reader
	// header is shared by all responses and is read-only.
	header http.Header
	// pause is how long a webhook takes, with the review half read.
	pause time.Duration
	kept  *kept
}

func newMemory(a answers, pause time.Duration) *memory {
	return &memory{
		answers: a, reader: newReader(), pause: pause, kept: &kept{},
		header: http.Header{"Content-Type": {"application/json"}},
	}
}

// response is a response with all that belongs to it, for one allocation.
type response struct {
	head    http.Response
	content content
}

type content struct{ bytes.Reader }

// Close implements io.Closer.
func (*content) Close() error { return nil }

// RoundTrip implements http.RoundTripper.
func (m *memory) RoundTrip(r *http.Request) (*http.Response, error) {
	defer r.Body.Close()
	answer, err := m.reader.read(r.Body, m.kept.wanted(), m.wait, func(read review) []byte {
		if read.body != nil {
			m.kept.add(r.URL.Host+r.URL.Path, read)
		}
		return m.answers.to(r.URL.Path, read.uid)
	})
	if err != nil {
		return nil, err
	}
	made := &response{}
	made.content.Reset(answer)
	made.head = http.Response{
		StatusCode: http.StatusOK, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: m.header, Body: &made.content, ContentLength: int64(len(answer)), Request: r,
	}
	return &made.head, nil
}

func (m *memory) wait() {
	if m.pause > 0 {
		time.Sleep(m.pause)
	}
}

// record implements witness.
func (m *memory) record() error { m.kept.start(); return nil }

// take implements witness.
func (m *memory) take() (map[string][]string, error) { return m.kept.take(), nil }
