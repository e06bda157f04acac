package conformance

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/certs"
)

// unverifiedClient is a Client that accepts all certificates, so that an
// invalid one does not hide other faults. The checks of TLS verify them.
type unverifiedClient struct{ next dispatcher.Client }

// Endpoint implements dispatcher.Client.
func (u unverifiedClient) Endpoint(
	ctx context.Context, w *admission.Webhook,
) (*dispatcher.Endpoint, error) {
	if w.ClientConfig.CABundle == nil {
		return u.next.Endpoint(ctx, w)
	}
	without := *w
	without.ClientConfig.CABundle = nil
	return u.next.Endpoint(ctx, &without)
}

// noCredentials resolves to a configuration without credentials and
// verification.
type noCredentials struct{}

var _ webhookutil.AuthenticationInfoResolver = noCredentials{}

func (c noCredentials) ClientConfigFor(string) (*rest.Config, error) { return c.config(), nil }

func (c noCredentials) ClientConfigForService(string, string, int) (*rest.Config, error) {
	return c.config(), nil
}

func (noCredentials) config() *rest.Config {
	return &rest.Config{
		Timeout:         30 * time.Second, // upstream's default for webhooks without credentials (S-281)
		TLSClientConfig: rest.TLSClientConfig{Insecure: true},
	}
}

// server serves a handler.
type server struct {
	http     *http.Server
	listener net.Listener
	done     chan struct{}
}

// serve serves a handler over TLS on a loopback port. Errors of the server,
// such as panics of the handler, go to notices. The caller closes the server.
func serve(handler http.Handler, notices io.Writer) (*server, error) {
	authority, err := certs.NewAuthority("conformance")
	if err != nil {
		return nil, err
	}
	certificate, err := authority.Server("localhost")
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("serving the handler: %w", err)
	}
	s := &server{listener: listener, done: make(chan struct{}), http: &http.Server{
		Handler: handler,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate},
			MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}},
		ReadHeaderTimeout: 30 * time.Second,
		ErrorLog:          log.New(notices, "", 0),
	}}
	go func() {
		defer close(s.done)
		_ = s.http.ServeTLS(listener, "", "") // ends when the listener closes
	}()
	return s, nil
}

// dial connects to the server, whatever the address.
func (s *server) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, network, s.listener.Addr().String())
}

func (s *server) close() {
	if s == nil {
		return
	}
	_ = s.http.Close() // the listener's error has no consequence
	<-s.done
	s.http.ErrorLog.SetOutput(io.Discard) // a handler may outlive notices
}
