package client

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"
)

// backend is a webhook server on a loopback address.
type backend struct {
	addr string
	ca   []byte

	mu    sync.Mutex
	snis  []string
	conns int
	open  int
}

// startBackend serves handler with TLS and a certificate for names. It offers
// HTTP/2, so that the client's choice shows.
func startBackend(t *testing.T, handler http.Handler, names ...string) *backend {
	t.Helper()
	ca, cert := newCertificate(t, names)
	b := &backend{ca: ca}
	s := httptest.NewUnstartedServer(handler)
	s.EnableHTTP2 = true
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch state {
		case http.StateNew:
			b.conns++
			b.open++
		case http.StateClosed:
			b.open--
		}
	}
	s.TLS = &tls.Config{
		Certificates: []tls.Certificate{cert},
		ClientAuth:   tls.RequestClientCert,
		GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.snis = append(b.snis, hello.ServerName)
			return nil, nil
		},
	}
	s.StartTLS()
	t.Cleanup(s.Close)
	b.addr = s.Listener.Addr().String()
	return b
}

// serverNames returns the server names of all TLS handshakes.
func (b *backend) serverNames() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.snis)
}

// connections returns how many connections were opened.
func (b *backend) connections() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.conns
}

// eventuallyOpen waits until at most n connections are open.
func (b *backend) eventuallyOpen(t *testing.T, n int) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(time.Millisecond) {
		b.mu.Lock()
		open := b.open
		b.mu.Unlock()
		if open <= n {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d connections are still open, want at most %d", open, n)
		}
	}
}

// dial opens every connection to b, whatever the address.
func (b *backend) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	return (&net.Dialer{}).DialContext(ctx, network, b.addr)
}

// newCertificate returns a CA and a server certificate that it has signed.
func newCertificate(t *testing.T, names []string) ([]byte, tls.Certificate) {
	t.Helper()
	caKey, serverKey := newKey(t), newKey(t)
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test CA"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "test webhook"},
		NotBefore: ca.NotBefore, NotAfter: ca.NotAfter,
		DNSNames: names, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	caDER := sign(t, ca, ca, caKey, caKey)
	serverDER := sign(t, server, ca, serverKey, caKey)
	caPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: caDER})
	return caPEM, tls.Certificate{Certificate: [][]byte{serverDER}, PrivateKey: serverKey}
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func sign(t *testing.T, cert, by *x509.Certificate, key, byKey *ecdsa.PrivateKey) []byte {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, cert, by, &key.PublicKey, byKey)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

// services is a ServiceResolver as a function.
type services func(namespace, name string, port int32) (*url.URL, error)

func (f services) ResolveEndpoint(namespace, name string, port int32) (*url.URL, error) {
	return f(namespace, name, port)
}

// at resolves every service to one address.
func at(addr string) services {
	return func(string, string, int32) (*url.URL, error) {
		return &url.URL{Scheme: "https", Host: addr}, nil
	}
}

// authInfo returns the same configuration for every host and service.
func authInfo(cfg *rest.Config) webhookutil.AuthenticationInfoResolver {
	return &webhookutil.AuthenticationInfoResolverDelegator{
		ClientConfigForFunc:        func(string) (*rest.Config, error) { return cfg, nil },
		ClientConfigForServiceFunc: func(string, string, int) (*rest.Config, error) { return cfg, nil },
	}
}

// ok answers "ok".
func ok(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }
