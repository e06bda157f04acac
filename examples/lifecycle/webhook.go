package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"example.com/gatehouse/examples/webhooks"
)

// webhook is the process. Its functions are the steps of its life, which the
// twins replace.
type webhook struct {
	certFile, keyFile string
	// lag is the time in which connections may still arrive after SIGTERM.
	lag time.Duration

	// certificate returns the certificate for a handshake.
	certificate func() (*tls.Certificate, error)
	// consult asks the backend about a review, and gives up with the context.
	consult func(ctx context.Context) error
	// around wraps the webhooks.
	around func(http.Handler) http.Handler
	// drain ends the server after SIGTERM.
	drain func(s *http.Server) error

	listener net.Listener
	// connections is the number of open connections.
	connections atomic.Int64
	// ending says that SIGTERM has arrived.
	ending atomic.Bool
}

// drainTime is how long calls may take that are under way when the port closes:
// more than timeoutSeconds.
const drainTime = 15 * time.Second

// newWebhook returns the process without a fault.
func newWebhook(certFile, keyFile, backend string, lag time.Duration) *webhook {
	w := &webhook{certFile: certFile, keyFile: keyFile, lag: lag}
	w.certificate = w.load
	w.consult = (&client{backend}).consult
	w.around = func(next http.Handler) http.Handler { return next }
	w.drain = func(s *http.Server) error {
		time.Sleep(w.lag)
		return w.shutdown(s, drainTime)
	}
	return w
}

// load reads the certificate anew, so that each handshake has the current one.
// Both files are read from one version of a mounted Secret, unless it changes in
// between; the next handshake succeeds then.
func (w *webhook) load() (*tls.Certificate, error) {
	certificate, err := tls.LoadX509KeyPair(w.certFile, w.keyFile)
	return &certificate, err
}

// shutdown closes the port and idle connections, and waits for calls.
func (w *webhook) shutdown(s *http.Server, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	return errors.Join(s.Shutdown(ctx), s.Close())
}

// serve serves until SIGTERM, and returns when the server has drained.
func (w *webhook) serve(address string) error {
	if _, err := w.certificate(); err != nil {
		return fmt.Errorf("loading the certificate: %w", err)
	}
	terminated, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	server := &http.Server{
		Handler: w.handler(),
		TLSConfig: &tls.Config{
			MinVersion: tls.VersionTLS12,
			GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
				return w.certificate()
			},
		},
		ReadHeaderTimeout: 10 * time.Second,
		ConnState:         w.count,
	}
	var err error
	if w.listener, err = net.Listen("tcp", address); err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() { served <- server.ServeTLS(w.listener, "", "") }()
	select {
	case err := <-served:
		return err
	case <-terminated.Done():
	}
	w.ending.Store(true)
	return w.drain(server)
}

// count counts the open connections.
func (w *webhook) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		w.connections.Add(1)
	case http.StateClosed, http.StateHijacked:
		w.connections.Add(-1)
	}
}

// handler returns the webhooks, which ask the backend first.
func (w *webhook) handler() http.Handler {
	reviews := w.around(webhooks.New().Handler())
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		out = answer{out, &w.ending}
		ctx, cancel := context.WithTimeout(r.Context(), patience(r))
		defer cancel()
		if err := w.consult(ctx); err != nil {
			log.Printf("lifecycle: the verdict is without the backend: %v", err)
		}
		reviews.ServeHTTP(out, r)
	})
}

// answer asks the client to close its connection if it is given after SIGTERM,
// however long ago the call began: so no connection is idle and in use by the
// client when the server closes it.
type answer struct {
	http.ResponseWriter
	ending *atomic.Bool
}

// WriteHeader implements http.ResponseWriter.
func (a answer) WriteHeader(status int) {
	a.announce()
	a.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (a answer) Write(text []byte) (int, error) {
	a.announce()
	return a.ResponseWriter.Write(text)
}

// announce has no effect once the header is sent.
func (a answer) announce() {
	if a.ending.Load() {
		a.Header().Set("Connection", "close")
	}
}

// patience is how long a review may wait for the backend: half of what
// kube-apiserver waits for the review, so that it gets an answer.
func patience(r *http.Request) time.Duration {
	timeout, err := time.ParseDuration(r.URL.Query().Get("timeout"))
	if err != nil {
		timeout = 10 * time.Second // kube-apiserver's default
	}
	return timeout / 2
}
