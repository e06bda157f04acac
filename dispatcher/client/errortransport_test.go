package client

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/engine/neterror"
	"example.com/gatehouse/internal/testutil/testtable"
)

type responseErrorRow struct {
	row
	// raw is the server's response, without TLS unless the client connects with tls; empty if
	// no server listens.
	raw string
	tls bool
	// dial is the dialer's error, if any.
	dial error
	// exact makes the client follow redirects.
	exact bool
	// ownTransport puts a Transport into the credentials.
	ownTransport bool
	// quotes expects a ResponseError, and client an error of http.Client's that
	// is neither a ResponseError nor a connection error.
	quotes, client bool
}

// TestResponseErrors: only errors that may quote the response are
// ResponseErrors.
func TestResponseErrors(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []responseErrorRow{
		{row: row{"connection refused", "the error is the system's"}},
		{row: row{"dialer", "the error is the embedder's, of any type"}, dial: errors.New("no tunnel")},
		{row: row{"incomplete", "the response is incomplete"}, raw: "HTTP/1.1 200"},
		{row: row{"empty handshake", "the error of package tls has no type"}, tls: true, raw: "\x16\x03\x03\x00\x04\x00\x00\x00\x00"},
		{row: row{"TLS 1.0", "the error of package tls has no type"}, tls: true,
			raw: "\x16\x03\x01\x00\x2a\x02\x00\x00\x26\x03\x01" + strings.Repeat("x", 32) + "\x00\x00\x2f\x00"},
		{row: row{"no TLS", "net/http tells it by the type of the error"}, tls: true, raw: "HTTP/1.1 200 OK\r\n\r\n"},
		{row: row{"banner", "net/http quotes it"}, raw: "SSH-2.0-x\r\n\r\n", quotes: true},
		{row: row{"status", "net/http quotes it"}, raw: "HTTP/1.1 what OK\r\n\r\n", quotes: true},
		{row: row{"header", "net/http quotes it"}, raw: "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", quotes: true},
		{row: row{"length", "net/http quotes it"}, raw: "HTTP/1.1 200 OK\r\nContent-Length: much\r\n\r\n", quotes: true},
		{row: row{"banner, custom transport", "a transport of the credentials quotes responses, too"}, raw: "SSH-2.0-x\r\n\r\n", ownTransport: true, quotes: true},
		{row: row{"connection refused, custom transport", "the error is the system's"}, ownTransport: true},
		{row: row{"redirect", "the error contains the host of the Location"}, raw: redirectTo("https://evil.example/"), quotes: true},
		{row: row{"malformed redirect", "the error does not quote it"}, raw: redirectTo("https://%zz")},
		{row: row{"malformed redirect, exact", "http.Client quotes it"}, raw: redirectTo("https://%zz"), exact: true, client: true},
	}, func(t *testing.T, r responseErrorRow) {
		cfg := Config{Exact: r.exact, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			if r.dial != nil {
				return nil, r.dial
			}
			return new(net.Dialer).DialContext(ctx, network, rawServer(t, r.raw))
		}}
		if r.ownTransport {
			brought := &http.Transport{DialContext: cfg.Dial}
			t.Cleanup(brought.CloseIdleConnections)
			cfg.Dial, cfg.AuthInfo = nil, authInfo(&rest.Config{Transport: brought})
		}
		c := newClient(t, cfg)
		scheme := "http"
		if r.tls {
			scheme = "https"
		}
		_, err := post(t, c, urlHook(scheme+"://hook.example", nil), "{}")
		var quotes *neterror.ResponseError
		if err == nil || errors.As(err, &quotes) != r.quotes {
			t.Errorf("error %v of type %T, want one that quotes: %v", err, errors.Unwrap(err), r.quotes)
		}
		if neterror.IsConnection(err) == (r.quotes || r.client) {
			t.Errorf("error %v of type %T is one of a connection: %v", err, errors.Unwrap(err), !r.quotes && !r.client)
		}
		if r.dial != nil && !errors.Is(err, r.dial) {
			t.Errorf("error %v, want the dialer's", err)
		}
	})
}

// redirectTo returns a response that redirects.
func redirectTo(location string) string {
	return "HTTP/1.1 307 Elsewhere\r\nLocation: " + location + "\r\nContent-Length: 0\r\n\r\n"
}

// rawServer returns the address of a server that responds once with a text, or
// a closed port if the text is empty.
func rawServer(t *testing.T, answer string) string {
	t.Helper()
	if answer == "" {
		return closedPort
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		_, _ = conn.Read(make([]byte, 1<<10))
		_, _ = io.WriteString(conn, answer)
		_ = conn.Close()
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return l.Addr().String()
}

// TestErrorsKeepTheirTypes: callers check whether connection errors are
// timeouts.
func TestErrorsKeepTheirTypes(t *testing.T) {
	t.Parallel()
	slow := &net.OpError{Op: "dial", Net: "tcp", Err: context.DeadlineExceeded}
	c := newClient(t, Config{Dial: func(context.Context, string, string) (net.Conn, error) { return nil, slow }})
	_, err := post(t, c, urlHook("https://hook.example", nil), "{}")
	var failed *url.Error
	if !errors.As(err, &failed) || !failed.Timeout() {
		t.Errorf("error %v is no timeout any more", err)
	}
}
