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

// Server is the running webhooks of the quickstart. Make one with Start and end
// it with Close.
type Server struct {
	authority *certs.Authority
	address   string
	http      *http.Server

	// served is closed when the accept loop has ended; err is why, and may be
	// read after that.
	served chan struct{}
	err    error
}

// Start serves the webhooks until Close is called. It returns an error when no
// certificate can be made or when 127.0.0.1 cannot be listened on.
func Start() (*Server, error) {
	authority, err := certs.NewAuthority("gatehouse demo")
	if err != nil {
		return nil, fmt.Errorf("starting the demo's webhooks: %w", err)
	}
	certificate, err := authority.Server(serviceNames()...)
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

// Addr returns the address that the webhooks are served on, as host:port. They
// are /label, /inject, /images and /slow.
func (s *Server) Addr() string { return s.address }

// CABundle returns the certificate, as PEM, by which clients verify the server
// under the names of its services; not under its address. The slice belongs to
// the caller.
func (s *Server) CABundle() []byte { return s.authority.Bundle() }

// Services returns the host names of the services that the webhooks stand for,
// under which clients verify the server. Their port is 443. The slice belongs to
// the caller.
func (s *Server) Services() []string { return serviceNames() }

// Close stops listening and cuts off the connections, with the requests on
// them: those see their context end, but Close does not wait for them. It may
// be called more than once. An error says that the server could not be closed
// properly, or had failed before.
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
		// Without one, failed handshakes would be printed amid the demo.
		ErrorLog: log.New(io.Discard, "", 0),
	}
}

// serviceNames are the names by which API servers verify the four services of
// the quickstart's webhooks.yaml.
func serviceNames() []string {
	return []string{
		"label-defaulter.webhooks.svc",
		"sidecar-injector.webhooks.svc",
		"image-policy.webhooks.svc",
		"slow.webhooks.svc",
	}
}
