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

// unverified is a Client that accepts all certificates. So that every fault is seen, it is
// the checks of TLS that look at these.
type unverified struct{ next dispatcher.Client }

// Endpoint implements dispatcher.Client.
func (u unverified) Endpoint(ctx context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	if w.ClientConfig.CABundle == nil {
		return u.next.Endpoint(ctx, w)
	}
	without := *w
	without.ClientConfig.CABundle = nil
	return u.next.Endpoint(ctx, &without)
}

// careless are credentials that there are none of, for servers that are not verified.
type careless struct{}

var _ webhookutil.AuthenticationInfoResolver = careless{}

func (c careless) ClientConfigFor(string) (*rest.Config, error) { return c.config(), nil }

func (c careless) ClientConfigForService(string, string, int) (*rest.Config, error) {
	return c.config(), nil
}

func (careless) config() *rest.Config {
	return &rest.Config{
		Timeout:         30 * time.Second, // that of webhooks without credentials (S-281)
		TLSClientConfig: rest.TLSClientConfig{Insecure: true},
	}
}

// server serves a handler.
type server struct {
	http     *http.Server
	listener net.Listener
	done     chan struct{}
}

// serve serves a handler over TLS on a loopback port. What goes wrong meanwhile, such as a
// panic of the handler, is told to notices. The server must be closed.
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
		Handler:           handler,
		TLSConfig:         &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}},
		ReadHeaderTimeout: 30 * time.Second,
		ErrorLog:          log.New(notices, "", 0),
	}}
	go func() {
		defer close(s.done)
		_ = s.http.ServeTLS(listener, "", "") // it ends with the listener
	}()
	return s, nil
}

// dial connects to the server, whoever was meant.
func (s *server) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, network, s.listener.Addr().String())
}

func (s *server) close() {
	if s == nil {
		return
	}
	_ = s.http.Close() // of the listener, which nobody needs any more
	<-s.done
	s.http.ErrorLog.SetOutput(io.Discard) // whom a handler that is still at it would tell may be gone
}
