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

// Running is a server that has been started, and has to be closed.
type Running struct {
	// CAFile is the certificate by which the webhooks are known, and Configuration the
	// file with their configurations.
	CAFile, Configuration string

	address string
	server  *http.Server
	done    chan error
}

// Start serves the webhooks over TLS, at an address of this machine such as 127.0.0.1:0.
// What clients need is written to files in a folder, which must be there.
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

// prepare makes the certificates and the server, and writes the files.
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
		// Who does not like a certificate is told so by their own side.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	return errors.Join(
		os.WriteFile(r.CAFile, authority.Bundle(), 0o644),             //nolint:gosec // certificates are public
		os.WriteFile(r.Configuration, []byte(s.configuration), 0o644), //nolint:gosec // so are these
	)
}

// tlsConfig has a certificate for each service, and one for the server's own address.
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

// host is the address without the port.
func (r *Running) host() string {
	host, _, _ := net.SplitHostPort(r.address) // a listener's address is never malformed
	return host
}

// Resolve says where the services are, in the form of gatehouse's --resolve.
func (r *Running) Resolve() []string {
	return []string{mutating + ":443:" + r.address, validating + ":443:" + r.address}
}

// Ledger is the URL of the ledger.
func (r *Running) Ledger() string { return "https://" + r.address + "/ledger" }

// Done says why the server has ended. Nothing but Close should end it.
func (r *Running) Done() <-chan error { return r.done }

// Close stops the server, and removes the files.
func (r *Running) Close() error {
	err := r.server.Close()
	return errors.Join(err, os.Remove(r.CAFile), os.Remove(r.Configuration))
}
