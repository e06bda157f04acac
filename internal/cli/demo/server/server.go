package server

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"example.com/gatehouse/examples/quickstart/webhooks"
	"example.com/gatehouse/internal/certs"
)

// Server is the running server of the quickstart's webhooks. Use Start to
// create one, and Close to stop it.
type Server struct {
	authority *certs.Authority
	address   string
	http      *http.Server

	// served is closed when the accept loop has ended; err is its error, valid
	// after that.
	served chan struct{}
	err    error
}

// Start serves the webhooks until Close. It fails if it cannot create a
// certificate or listen on 127.0.0.1.
func Start() (*Server, error) {
	authority, err := certs.NewAuthority("gatehouse demo")
	if err != nil {
		return nil, fmt.Errorf("starting the demo's webhooks: %w", err)
	}
	certificate, err := authority.Server(Services()...)
	if err != nil {
		return nil, fmt.Errorf("starting the demo's webhooks: %w", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("starting the demo's webhooks: %w", err)
	}
	s := &Server{
		authority: authority,
		address:   listener.Addr().String(),
		http:      newHTTPServer(certificate),
		served:    make(chan struct{}),
	}
	go s.serve(listener)
	return s, nil
}

// Addr returns the address of the server, as host:port. The paths are /label,
// /inject, /images and /slow.
func (s *Server) Addr() string { return s.address }

// CABundle returns the CA certificate as PEM. The server's certificate is valid
// for the names of its services, not for its address. The caller owns the
// slice.
func (s *Server) CABundle() []byte { return s.authority.Bundle() }

// Close stops the server and closes its connections. It ends the contexts of
// their requests, but does not wait for them. The caller may call it more than
// once. It returns an error if the server failed.
func (s *Server) Close() error {
	closed := s.http.Close()
	<-s.served
	if err := errors.Join(closed, s.err); err != nil {
		return fmt.Errorf("closing the demo's webhooks: %w", err)
	}
	return nil
}

func (s *Server) serve(listener net.Listener) {
	defer close(s.served)
	// The certificate is in the TLSConfig, hence no files.
	err := s.http.ServeTLS(listener, "", "")
	if !errors.Is(err, http.ErrServerClosed) {
		s.err = err
	}
}

func newHTTPServer(certificate tls.Certificate) *http.Server {
	return &http.Server{
		Handler: webhooks.Handler(),
		TLSConfig: &tls.Config{
			Certificates: []tls.Certificate{certificate},
			MinVersion:   tls.VersionTLS12,
		},
		ReadHeaderTimeout: 10 * time.Second,
		// Failed handshakes must not appear in the output of the demo.
		ErrorLog: log.New(io.Discard, "", 0),
	}
}

// Services returns the host names of the services in the quickstart's
// webhooks.yaml, for which API servers verify the certificate. Their port is
// 443. The caller owns the slice.
func Services() []string {
	return []string{
		"label-defaulter.webhooks.svc",
		"sidecar-injector.webhooks.svc",
		"image-policy.webhooks.svc",
		"slow.webhooks.svc",
	}
}
