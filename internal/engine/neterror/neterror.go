package neterror

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
)

// ResponseError marks an error whose text may quote the response: malformed
// HTTP or a refused redirect.
type ResponseError struct{ Err error }

// Error returns the text, including what it quotes.
func (e *ResponseError) Error() string { return e.Err.Error() }

// Unwrap returns the marked error.
func (e *ResponseError) Unwrap() error { return e.Err }

// LocalError marks an error of the API server's side, for example of the
// embedder's dialer, or of reading a client certificate.
type LocalError struct{ Err error }

// Error returns the text.
func (e *LocalError) Error() string { return e.Err.Error() }

// Unwrap returns the marked error.
func (e *LocalError) Unwrap() error { return e.Err }

// ConnectionError marks an error about a connection that has no type, as many of
// package tls's about a server.
type ConnectionError struct{ Err error }

// Error returns the text.
func (e *ConnectionError) Error() string { return e.Err.Error() }

// Unwrap returns the marked error.
func (e *ConnectionError) Unwrap() error { return e.Err }

// QuotesResponse reports whether err wraps a ResponseError.
func QuotesResponse(err error) bool {
	var response *ResponseError
	return errors.As(err, &response)
}

// IsConnection reports whether err is about connecting to a webhook's server,
// about a response that was incomplete or late, or a LocalError or
// ConnectionError. The text of such an error quotes nothing that the server
// sent, except the names in its certificate. An error for which QuotesResponse
// is true may also be one: check for that first.
func IsConnection(err error) bool {
	var (
		local   *LocalError
		other   *ConnectionError
		op      *net.OpError
		lookup  *net.DNSError
		cert    *tls.CertificateVerificationError
		alert   tls.AlertError
		record  tls.RecordHeaderError
		timeout interface{ Timeout() bool }
	)
	switch {
	case errors.As(err, &local), errors.As(err, &other), errors.As(err, &op), errors.As(err, &lookup):
		return true
	case errors.As(err, &cert), errors.As(err, &alert), errors.As(err, &record):
		return true
	case errors.As(err, &timeout) && timeout.Timeout():
		return true
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, http.ErrSchemeMismatch) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
