package client

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"

	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// ResponseError wraps an error whose text may quote the server's response: malformed
// HTTP or a refused redirect. Return it to the client of the request, but do not log
// it: a response may repeat what the request contained.
type ResponseError struct{ err error }

// Error returns the text, including what it quotes.
func (e *ResponseError) Error() string { return e.err.Error() }

// Unwrap returns the wrapped error, usually net/http's.
func (e *ResponseError) Unwrap() error { return e.err }

// responseErrorTransport wraps errors that may quote a response in a ResponseError.
// net/http has no type for them, so that these are all errors of unknown types.
type responseErrorTransport struct{ next http.RoundTripper }

var _ utilnet.RoundTripperWrapper = responseErrorTransport{}

// markResponseErrors wraps rt in a responseErrorTransport.
func markResponseErrors(rt http.RoundTripper) http.RoundTripper {
	return responseErrorTransport{rt}
}

// RoundTrip implements http.RoundTripper.
func (t responseErrorTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(req)
	// Unwrap the mark, which would hide the error's type from type assertions.
	if local, ok := err.(*localError); ok {
		return resp, local.err
	}
	if err != nil && !IsConnectionError(err) {
		return resp, &ResponseError{err}
	}
	return resp, err
}

// WrappedRoundTripper implements net.RoundTripperWrapper.
func (t responseErrorTransport) WrappedRoundTripper() http.RoundTripper { return t.next }

// IsConnectionError reports whether err is about connecting to a webhook's server,
// about a response that was incomplete or late, or comes from the embedder's dialer,
// resolver or credentials. The text of such an error quotes nothing that the server
// sent, except the names in its certificate. An error that wraps a *ResponseError may
// also be one: check for that first.
func IsConnectionError(err error) bool {
	var (
		local   *localError
		op      *net.OpError
		lookup  *net.DNSError
		cert    *tls.CertificateVerificationError
		alert   tls.AlertError
		record  tls.RecordHeaderError
		timeout interface{ Timeout() bool }
	)
	switch {
	case errors.As(err, &local), errors.As(err, &op), errors.As(err, &lookup):
		return true
	case errors.As(err, &cert), errors.As(err, &alert), errors.As(err, &record):
		return true
	case errors.As(err, &timeout) && timeout.Timeout():
		return true
	}
	// Many of package tls's errors about a server have no type.
	return strings.HasPrefix(err.Error(), "tls: ") ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, http.ErrSchemeMismatch) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// localErrorTransport marks the errors that arose before a response arrived, so that
// callers can tell them from http.Client's own errors about a response, which have no
// type.
type localErrorTransport struct{ next http.RoundTripper }

var _ utilnet.RoundTripperWrapper = localErrorTransport{}

// RoundTrip implements http.RoundTripper.
func (t localErrorTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(req)
	var quoting *ResponseError
	if err != nil && !errors.As(err, &quoting) && !IsConnectionError(err) {
		return resp, markLocal(err)
	}
	return resp, err
}

// WrappedRoundTripper implements net.RoundTripperWrapper.
func (t localErrorTransport) WrappedRoundTripper() http.RoundTripper { return t.next }

// localError wraps an error of the client's own side, for example of the embedder's
// dialer, or of reading a client certificate.
type localError struct{ err error }

func (e *localError) Error() string { return e.err.Error() }

func (e *localError) Unwrap() error { return e.err }

// markLocal wraps err in a localError, unless err is nil.
func markLocal(err error) error {
	if err == nil {
		return nil
	}
	return &localError{err}
}
