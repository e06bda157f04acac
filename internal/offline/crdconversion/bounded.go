package crdconversion

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
)

const (
	// maxAnswer is as much as an answer may hold: as much as that of an
	// admission webhook, which is more than twice what an object of
	// kube-apiserver's largest size can make of it.
	maxAnswer = 8 << 20
	// maxOther is the same for one that is no JSON object. kube-apiserver takes
	// YAML for an answer as well, of which 8 MiB keep a processor busy for half
	// a minute and fill a gigabyte; no honest webhook sends it.
	maxOther = 256 << 10
)

// bounded ends answers that are too long. What it counts is no longer
// compressed.
type bounded struct{ next http.RoundTripper }

// RoundTrip returns an answer whose body fails after maxAnswer or maxOther
// bytes.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	response.Body = &boundedBody{ReadCloser: response.Body, limit: maxAnswer}
	return response, nil
}

// WrappedRoundTripper lets client-go find the transport below.
func (b bounded) WrappedRoundTripper() http.RoundTripper { return b.next }

// boundedBody fails once there is more to read than the limit, and not when
// that has been read: the body may be just as long.
type boundedBody struct {
	io.ReadCloser
	limit, read int
	begun       bool // something other than blanks has been read
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.read > b.limit {
		return 0, b.tooLong()
	}
	n, err := b.ReadCloser.Read(p)
	b.look(p[:n])
	b.read += n
	if b.read > b.limit {
		return max(n-(b.read-b.limit), 0), b.tooLong()
	}
	return n, err
}

// look lowers the limit if the body does not begin with a brace, and so is no JSON
// object.
func (b *boundedBody) look(data []byte) {
	if data = bytes.TrimSpace(data); b.begun || len(data) == 0 {
		return
	}
	b.begun = true
	if data[0] != '{' {
		b.limit = maxOther
	}
}

func (b *boundedBody) tooLong() error {
	if b.limit == maxOther {
		return fmt.Errorf("the response is not a JSON object and is longer than %d bytes", b.limit)
	}
	return fmt.Errorf("the response is longer than %d bytes", b.limit)
}
