package webhooks

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"example.com/gatehouse/internal/certs"
)

// Running is a started server. The caller must close it.
type Running struct {
	// CAFile contains the CA certificate for clients, and Configuration the
	// webhook configurations.
	CAFile, Configuration string

	address string
	server  *http.Server
	done    chan error
}

// Start serves the webhooks over TLS, at an address such as 127.0.0.1:0. It
// writes the files for clients to an existing folder.
func (s *Server) Start(address, folder string) (*Running, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("starting the webhooks: %w", err)
	}
	r := &Running{
		CAFile:        filepath.Join(folder, "ca.pem"),
		Configuration: filepath.Join(folder, "webhooks.yaml"),
		address:       listener.Addr().String(),
		done:          make(chan error, 1),
	}
	if err := r.prepare(s); err != nil {
		return nil, errors.Join(fmt.Errorf("starting the webhooks: %w", err), listener.Close())
	}
	go func() { r.done <- r.server.ServeTLS(listener, "", "") }()
	return r, nil
}

// prepare creates the certificates and the server, and writes the files.
func (r *Running) prepare(s *Server) error {
	authority, err := certs.NewAuthority("webhooks")
	if err != nil {
		return err
	}
	config, err := s.tlsConfig(authority, r.host())
	if err != nil {
		return err
	}
	r.server = &http.Server{
		Handler:           s.Handler(),
		TLSConfig:         config,
		ReadHeaderTimeout: 10 * time.Second,
		// Clients report certificates that they reject.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	return errors.Join(
		//nolint:gosec // certificates are public
		os.WriteFile(r.CAFile, authority.Bundle(), 0o644),
		os.WriteFile(r.Configuration, []byte(s.configuration), 0o644), //nolint:gosec // so are these
	)
}

// tlsConfig has a certificate for each service, and one for the server's
// address.
func (s *Server) tlsConfig(authority *certs.Authority, host string) (*tls.Config, error) {
	own, err := authority.Server(host)
	if err != nil {
		return nil, err
	}
	services := map[string]*tls.Certificate{}
	for _, service := range []string{mutating, validating} {
		certificate, err := s.certify(authority, service)
		if err != nil {
			return nil, err
		}
		services[service] = &certificate
	}
	config := s.tls.Clone()
	config.GetCertificate = func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		if certificate, ok := services[hello.ServerName]; ok {
			return certificate, nil
		}
		return &own, nil
	}
	return config, nil
}

// host returns the address without the port.
func (r *Running) host() string {
	host, _, _ := net.SplitHostPort(r.address) // a listener's address is never malformed
	return host
}

// Resolve returns the addresses of the services, in the form of gatehouse's
// --resolve.
func (r *Running) Resolve() []string {
	return []string{mutating + ":443:" + r.address, validating + ":443:" + r.address}
}

// Ledger returns the URL of the ledger.
func (r *Running) Ledger() string { return "https://" + r.address + "/ledger" }

// Done returns a channel that receives the error with which the server ends.
// Only Close should end it.
func (r *Running) Done() <-chan error { return r.done }

// Close stops the server and removes the files.
func (r *Running) Close() error {
	err := r.server.Close()
	return errors.Join(err, os.Remove(r.CAFile), os.Remove(r.Configuration))
}
