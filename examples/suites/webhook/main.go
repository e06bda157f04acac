// Webhook serves the webhooks of this project over TLS, until SIGTERM.
//
//	PORT=8443 CERT_DIR=/certs webhook
//	webhook -port 8443 -cert-dir /certs -registries registry.example.com/,mirror.example.com/library/
//
// CERT_DIR is a folder with tls.crt and tls.key, as in a mounted Secret.
// REGISTRIES are the allowed prefixes of images. Without HOST the server
// listens on all addresses, as it must in a pod.
package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"example.com/gatehouse/examples/suites/handlers"
)

const (
	// headerTimeout is the time for a client to send its headers.
	headerTimeout = 10 * time.Second
	// stopTimeout is the time for requests in flight after SIGTERM.
	stopTimeout = 10 * time.Second
)

func main() {
	host := flag.String("host", os.Getenv("HOST"), "`address` to listen on; $HOST")
	port := flag.String("port", cmp.Or(os.Getenv("PORT"), "8443"), "`port` to listen on; $PORT")
	certDir := flag.String("cert-dir", cmp.Or(os.Getenv("CERT_DIR"), "/certs"),
		"`folder` with tls.crt and tls.key; $CERT_DIR")
	registries := flag.String("registries", cmp.Or(os.Getenv("REGISTRIES"), "registry.example.com/"),
		"`list` of registries, each with a slash at its end and a comma between them; $REGISTRIES")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", net.JoinHostPort(*host, *port))
	if err != nil {
		log.Fatalf("webhook: %v", err)
	}
	if err := serve(ctx, listener, *certDir,
		handlers.New(strings.Split(*registries, ",")...)); err != nil {
		log.Fatalf("webhook: %v", err)
	}
}

// serve serves until ctx ends, and then finishes the requests in flight. It
// closes the listener.
func serve(ctx context.Context, listener net.Listener, certDir string, handler http.Handler) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTimeout,
		TLSConfig: &tls.Config{MinVersion: tls.VersionTLS12,
			GetCertificate: certificateIn(certDir)},
	}
	ended := make(chan error, 1)
	go func() { ended <- server.ServeTLS(listener, "", "") }()
	select {
	case err := <-ended:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if err := server.Shutdown(limit); err != nil {
		return errors.Join(fmt.Errorf("stopping: %w", err), server.Close())
	}
	return nil
}

// certificateIn returns the certificate in a folder. It reads the files for
// each connection, because the certificate may be renewed while the server
// runs.
func certificateIn(folder string) func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		certificate, err := tls.LoadX509KeyPair(filepath.Join(folder, "tls.crt"),
			filepath.Join(folder, "tls.key"))
		return &certificate, err
	}
}
