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

// AnswerError says that what a webhook's server answered is not HTTP, or only just, or that
// it redirects to where nobody follows. Its text is mostly net/http's, which quotes the
// answer: it is for whoever made the request, but not for logs, because servers may send
// back what they were sent.
type AnswerError struct{ err error }

// Error returns the text, with what it quotes.
func (e *AnswerError) Error() string { return e.err.Error() }

// Unwrap returns the error as it was, mostly net/http's.
func (e *AnswerError) Unwrap() error { return e.err }

// answers marks the errors that quote an answer. net/http has no type for them, so that
// every error is one of them that is not known to be something else.
type answers struct{ next http.RoundTripper }

var _ utilnet.RoundTripperWrapper = answers{}

// RoundTrip passes on.
func (a answers) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := a.next.RoundTrip(req)
	// Callers ask for types that the mark would hide.
	if own, ok := err.(*hereError); ok {
		return resp, own.err
	}
	if err != nil && !IsConnectionError(err) {
		return resp, &AnswerError{err}
	}
	return resp, err
}

// WrappedRoundTripper lets others look underneath.
func (a answers) WrappedRoundTripper() http.RoundTripper { return a.next }

// IsConnectionError reports whether err is about how a webhook's server was reached, or
// about an answer that broke off or came late, or one of this side: of the host's dialer,
// resolver or credentials. The text of such an error quotes nothing that the server wrote,
// but for the names in its certificate. An error that wraps an *AnswerError may be one of
// these as well: ask for that first.
func IsConnectionError(err error) bool {
	var (
		own     *hereError
		op      *net.OpError
		lookup  *net.DNSError
		cert    *tls.CertificateVerificationError
		alert   tls.AlertError
		record  tls.RecordHeaderError
		timeout interface{ Timeout() bool }
	)
	switch {
	case errors.As(err, &own), errors.As(err, &op), errors.As(err, &lookup):
		return true
	case errors.As(err, &cert), errors.As(err, &alert), errors.As(err, &record):
		return true
	case errors.As(err, &timeout) && timeout.Timeout():
		return true
	}
	// Of what package tls finds wrong with a server much has no type.
	return strings.HasPrefix(err.Error(), "tls: ") || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, http.ErrSchemeMismatch) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// thisSide marks the errors of this side that nothing else tells from those that http.Client
// makes of an answer, which are without any mark.
type thisSide struct{ next http.RoundTripper }

var _ utilnet.RoundTripperWrapper = thisSide{}

// RoundTrip passes on.
func (s thisSide) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := s.next.RoundTrip(req)
	var quotes *AnswerError
	if err != nil && !errors.As(err, &quotes) && !IsConnectionError(err) {
		return resp, here(err)
	}
	return resp, err
}

// WrappedRoundTripper lets others look underneath.
func (s thisSide) WrappedRoundTripper() http.RoundTripper { return s.next }

// hereError is an error of this side of a connection: of the host's dialer, for example, or
// of the files with a client certificate.
type hereError struct{ err error }

func (e *hereError) Error() string { return e.err.Error() }

func (e *hereError) Unwrap() error { return e.err }

// here marks an error as one of this side.
func here(err error) error {
	if err == nil {
		return nil
	}
	return &hereError{err}
}
