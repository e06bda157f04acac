package process

import (
	"crypto/tls"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/gatehouse/internal/certs"
)

// Webhooks is a server of webhooks.
type Webhooks struct {
	// Address is where it listens, on loopback: HOST:PORT.
	Address string
	// CA is what its certificate can be verified with, in PEM: a caBundle.
	CA []byte
	// Server is what listens; it is closed with the test.
	Server *httptest.Server
}

// ServeTLS serves a handler over TLS until the test ends, with a certificate for
// names such as webhook-service.system.svc and for 127.0.0.1, from a CA of its own.
func ServeTLS(tb testing.TB, handler http.Handler, names ...string) *Webhooks {
	tb.Helper()
	authority, err := certs.NewAuthority("webhooks")
	if err != nil {
		tb.Fatal(err)
	}
	certificate, err := authority.Server(append(names, "127.0.0.1")...)
	if err != nil {
		tb.Fatal(err)
	}
	server := httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	server.EnableHTTP2 = true
	// Callers that hang up are part of many tests, and no news.
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	tb.Cleanup(server.Close)
	return &Webhooks{Address: server.Listener.Addr().String(), CA: authority.Bundle(), Server: server}
}
