package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"example.com/gatehouse/examples/suites/handlers"
	"example.com/gatehouse/internal/certs"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestServe renews the certificate of a running server, and stops the server.
func TestServe(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, listener, folder, handlers.New()) }()
	for range 2 {
		roots := renew(t, folder)
		if status := get(t, roots, "https://"+listener.Addr().String()+"/readyz"); status != http.StatusOK {
			t.Errorf("answered %d", status)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("it did not end well: %v", err)
	}
}

// TestServeEnds closes the listener: the server must end without SIGTERM.
func TestServeEnds(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if err := serve(t.Context(), listener, t.TempDir(), handlers.New()); !errors.Is(err, net.ErrClosed) {
		t.Errorf("got error %v", err)
	}
}

// renew writes a certificate of a new authority to a folder.
func renew(t *testing.T, folder string) *x509.CertPool {
	t.Helper()
	authority, err := certs.NewAuthority("webhooks")
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := authority.Server("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	key, err := x509.MarshalPKCS8PrivateKey(certificate.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "tls.crt"), &pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]})
	write(t, filepath.Join(folder, "tls.key"), &pem.Block{Type: "PRIVATE KEY", Bytes: key})
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority.Bundle())
	return roots
}

func write(t *testing.T, file string, block *pem.Block) {
	t.Helper()
	if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, roots *x509.CertPool, url string) int {
	t.Helper()
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode
}
