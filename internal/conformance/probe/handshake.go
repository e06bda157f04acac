package probe

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
)

// Server is the server of a webhook, as it shows itself in a TLS handshake.
type Server struct {
	// Host is the name or the address that its certificate has to be for: that of the
	// URL, or of the service (S-272).
	Host string
	// Certificates are those that it sends, its own first. There is one.
	Certificates []*x509.Certificate
	// HTTP2 says that it chose HTTP/2 when it was offered HTTP/2 and HTTP/1.1.
	HTTP2 bool
}

// Dial connects as Config.Dial does.
func (w *Webhook) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	return w.collection.Dial(ctx, network, address)
}

// Handshake makes a TLS connection of one of the versions and closes it again, whatever
// the certificate is. It succeeds when the server has shown its certificate: what it wants
// of clients is not looked at.
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
	endpoint, err := w.Endpoint(ctx)
	if err != nil {
		return nil, err
	}
	host, port := endpoint.URL.Hostname(), endpoint.URL.Port()
	if port == "" {
		port = "443"
	}
	connection, err := w.Dial(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	defer func() { _ = connection.Close() }() // nothing was sent that could be lost
	s := &Server{Host: host}
	err = tls.Client(connection, s.look(oldest, newest)).HandshakeContext(ctx)
	switch {
	case len(s.Certificates) > 0:
		return s, nil
	case err == nil:
		return nil, errors.New("the server sent no certificate")
	}
	return nil, err
}

// look returns a configuration that notes what the server shows and has no opinion on it.
func (s *Server) look(oldest, newest uint16) *tls.Config {
	return &tls.Config{
		ServerName: s.Host, MinVersion: oldest, MaxVersion: newest, NextProtos: []string{"h2", "http/1.1"},
		InsecureSkipVerify: true, // the checks verify, part by part
		VerifyConnection: func(state tls.ConnectionState) error {
			s.Certificates, s.HTTP2 = state.PeerCertificates, state.NegotiatedProtocol == "h2"
			return nil
		},
	}
}
