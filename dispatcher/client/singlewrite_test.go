package client

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"example.com/gatehouse/internal/testutil/testtable"
)

// funcTransport adapts a function to http.RoundTripper.
type funcTransport func(*http.Request) (*http.Response, error)

func (f funcTransport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// closeCounter is a body of a type that net/http does not know; it counts calls
// of Close.
type closeCounter struct {
	io.Reader
	closed int
}

func (p *closeCounter) Close() error { p.closed++; return nil }

func TestSingleWrite(t *testing.T) {
	t.Parallel()
	type singleWriteCase struct {
		row
		body   string
		length int64
		// copied: the request gets another body, of a type that net/http knows.
		copied bool
	}
	testtable.Run(t, []singleWriteCase{
		{row{"short", "it is sent together with the header"}, "review", 6, true},
		{row{"maximum length", "header and body still fit"}, strings.Repeat("r", maxSingleWrite), maxSingleWrite, true},
		{row{"long", "the body is not copied"}, strings.Repeat("r", maxSingleWrite+1), maxSingleWrite + 1, false},
		{row{"unknown length", "the body may be endless"}, "review", -1, false},
	}, func(t *testing.T, tc singleWriteCase) {
		body := &closeCounter{Reader: iotest.OneByteReader(strings.NewReader(tc.body))}
		request := &http.Request{Body: body, ContentLength: tc.length}
		var sent *http.Request
		var received string
		_, err := singleWriteTransport{wrapper{funcTransport(func(r *http.Request) (*http.Response, error) {
			sent = r
			all, err := io.ReadAll(r.Body)
			received = string(all)
			return nil, errors.Join(err, r.Body.Close())
		})}}.RoundTrip(request)
		if err != nil || received != tc.body || body.closed != 1 {
			t.Errorf("sent %d bytes of %d, closed %d times, error %v", len(received), len(tc.body), body.closed, err)
		}
		if copied := sent.Body != io.ReadCloser(body); copied != tc.copied || (sent == request) == copied {
			t.Errorf("another body: %v, want %v", copied, tc.copied)
		}
		if request.Body != body {
			t.Error("the caller's request has changed")
		}
	})
}

// TestSingleWriteReadError: a request whose body cannot be read is not sent.
func TestSingleWriteReadError(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	body := &closeCounter{Reader: iotest.ErrReader(broken)}
	_, err := singleWriteTransport{wrapper{funcTransport(func(*http.Request) (*http.Response, error) {
		t.Error("the request was sent")
		return nil, nil
	})}}.RoundTrip(&http.Request{Body: body, ContentLength: 6})
	if !errors.Is(err, broken) || body.closed != 1 {
		t.Errorf("error %v, closed %d times", err, body.closed)
	}
}
