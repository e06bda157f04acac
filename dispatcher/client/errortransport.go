package client

import (
	"fmt"
	"net/http"
	"strings"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/internal/engine/neterror"
)

// responseErrorTransport wraps errors that may quote a response in a
// neterror.ResponseError. net/http has no type for them, so that these are all
// errors of unknown types, except those of package tls. To net/http's error
// about a header that is too large it adds the name of the limit, which the
// connection pool enforces.
type responseErrorTransport struct {
	wrapper
	// maxHeader bounds the header of a response, in bytes.
	maxHeader int64
}

// RoundTrip implements http.RoundTripper.
func (t responseErrorTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(req)
	// Unwrap the mark, which would hide the error's type from type assertions.
	if local, ok := err.(*neterror.LocalError); ok {
		return resp, local.Err
	}
	switch {
	case err == nil, neterror.IsConnection(err):
	case strings.HasPrefix(err.Error(), "tls: "):
		err = &neterror.ConnectionError{Err: err}
	default:
		err = &neterror.ResponseError{Err: err}
	}
	if err != nil && isHeaderTooLarge(err) {
		err = fmt.Errorf("%w: %w", err, limits.Bytes("ResponseHeader", int(t.maxHeader)))
	}
	return resp, err
}

// isHeaderTooLarge compares texts, because net/http exports no error: the first
// is that of HTTP/1, the second that of HTTP/2.
func isHeaderTooLarge(err error) bool {
	text := err.Error()
	return strings.Contains(text, "server response headers exceeded") ||
		strings.Contains(text, "response header list larger than advertised limit")
}

// localErrorTransport marks the errors that arose before a response arrived, so
// that callers can tell them from http.Client's own errors about a response,
// which have no type. It returns panics as errors, because http.Client does not
// stop its timer when a panic passes through it.
type localErrorTransport struct{ wrapper }

// RoundTrip returns an *admission.PanicError after a panic.
func (t localErrorTransport) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	err = guard.Call(func() (err error) {
		resp, err = t.next.RoundTrip(req)
		if err != nil && !neterror.QuotesResponse(err) && !neterror.IsConnection(err) {
			return markLocal(err)
		}
		return err
	})
	return resp, err
}

// markLocal wraps err in a neterror.LocalError, unless err is nil.
func markLocal(err error) error {
	if err == nil {
		return nil
	}
	return &neterror.LocalError{Err: err}
}
