package probe

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
)

// Server is what a webhook's server sends in a TLS handshake.
type Server struct {
	// Host is the DNS name or IP address for which the certificate must be
	// valid: that of the URL or of the service (S-272).
	Host string
	// Certificates is the chain that the server sent, leaf first. It is not
	// empty.
	Certificates []*x509.Certificate
	// HTTP2 is true if the server chose HTTP/2.
	HTTP2 bool
}

// Handshake makes a TLS connection with a range of versions and closes it. It
// does not verify the certificate. It succeeds when the server has sent its
// certificate, even if the server requires a client certificate.
func (w *Webhook) Handshake(ctx context.Context, oldest, newest uint16) (*Server, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, w.Timeout(), fmt.Errorf("no TLS connection within %s", w.Timeout()))
	defer cancel()
	s, err := w.handshake(ctx, oldest, newest)
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return s, err
}

func (w *Webhook) handshake(ctx context.Context, oldest, newest uint16) (*Server, error) {
	endpoint, err := w.collection.InsecureClient.Endpoint(ctx, w.Webhook)
	if err != nil {
		return nil, err
	}
	host, port := endpoint.URL.Hostname(), endpoint.URL.Port()
	if port == "" {
		port = "443"
	}
	connection, err := w.collection.Dial(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	defer func() { _ = connection.Close() }() // nothing was sent that could be lost
	s := &Server{Host: host}
	err = tls.Client(connection, s.recordingConfig(oldest, newest)).HandshakeContext(ctx)
	switch {
	case len(s.Certificates) > 0:
		return s, nil
	case err == nil:
		return nil, errors.New("the server sent no certificate")
	}
	return nil, err
}

// recordingConfig returns a configuration that records what the server shows
// and verifies nothing.
func (s *Server) recordingConfig(oldest, newest uint16) *tls.Config {
	return &tls.Config{
		ServerName: s.Host, MinVersion: oldest, MaxVersion: newest, NextProtos: []string{"h2", "http/1.1"},
		InsecureSkipVerify: true, // the checks verify each property on its own
		VerifyConnection: func(state tls.ConnectionState) error {
			s.Certificates, s.HTTP2 = state.PeerCertificates, state.NegotiatedProtocol == "h2"
			return nil
		},
	}
}
