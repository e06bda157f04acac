package webhooktest

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"example.com/gatehouse/internal/certs"
)

// Server serves a handler over TLS on a loopback port. It makes a certificate
// for each server name that clients request.
type Server struct {
	// URL is https:// and the Address, HOST:PORT.
	URL, Address string
	// CABundle is the CA of its certificates, in PEM, new for each server.
	CABundle []byte
}

// Serve serves a handler until the end of the test. It logs errors of the
// server, such as panics of the handler.
func Serve(tb testing.TB, h http.Handler) *Server {
	tb.Helper()
	s, err := serve(tb, h)
	if err != nil {
		tb.Fatalf("serving a handler: %v", err)
	}
	return s
}

func serve(tb testing.TB, h http.Handler) (*Server, error) {
	authority, err := certs.NewAuthority("webhooktest")
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening: %w", err)
	}
	complaints := &serverLog{tb: tb}
	server := &http.Server{
		Handler: h,
		TLSConfig: &tls.Config{GetCertificate: authority.Issuer().Certificate,
			MinVersion: tls.VersionTLS12},
		ReadHeaderTimeout: time.Minute,
		ErrorLog:          log.New(complaints, "", 0),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.ServeTLS(listener, "", "") }()
	tb.Cleanup(func() {
		closed, err := server.Close(), <-ended
		if errors.Is(err, http.ErrServerClosed) {
			err = nil
		}
		if err := errors.Join(closed, err); err != nil {
			tb.Errorf("serving a handler: %v", err)
		}
		complaints.end()
	})
	address := listener.Addr().String()
	return &Server{URL: "https://" + address, Address: address, CABundle: authority.Bundle()}, nil
}

// serverLog logs errors of a server until the end of the test: handlers may
// outlive their connections.
type serverLog struct {
	mu sync.Mutex
	tb testing.TB
}

// Write implements io.Writer.
func (c *serverLog) Write(line []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tb != nil {
		return c.tb.Output().Write(line)
	}
	return len(line), nil
}

// end stops logging.
func (c *serverLog) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tb = nil
}
