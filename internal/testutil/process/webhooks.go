package process

import (
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
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

	open atomic.Int64
}

// Open returns how many connections there are to the server.
func (w *Webhooks) Open() int { return int(w.open.Load()) }

// count counts connections as they come and go.
func (w *Webhooks) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		w.open.Add(1)
	case http.StateClosed, http.StateHijacked:
		w.open.Add(-1)
	}
}

// ServeTLS serves a handler over TLS until the test ends, with a certificate
// for names such as webhook-service.system.svc and for 127.0.0.1, from its own
// CA.
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
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate},
		MinVersion: tls.VersionTLS12}
	server.EnableHTTP2 = true
	w := &Webhooks{CA: authority.Bundle(), Server: server}
	server.Config.ConnState = w.count
	// Callers that hang up are part of many tests, and no news.
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	tb.Cleanup(server.Close)
	w.Address = server.Listener.Addr().String()
	return w
}
