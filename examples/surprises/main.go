// Surprises serves the webhooks of the examples in this folder and in
// examples/dispatch: on loopback, over TLS, until ^C. webhooks.go describes
// them.
//
//	go run ./examples/surprises --ca-file ca.crt
//
// Each run creates a new certificate authority. It writes the certificate to
// the file, for gatehouse's flag --ca-file, and removes the file at the end.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"
)

func main() {
	caFile := flag.String("ca-file", "ca.crt", "`file` to write the certificate of the authority to")
	address := flag.String("listen", "127.0.0.1:9443",
		"`address` to serve on; the configurations name this one")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *address, *caFile, os.Stdout); err != nil {
		log.Fatalf("surprises: %v", err)
	}
}

// run serves the webhooks until ctx ends, and then returns nil.
func run(ctx context.Context, address, caFile string, out io.Writer) (err error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	server, bundle, err := newServer()
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	//nolint:gosec // certificates are public
	if err := os.WriteFile(caFile, bundle, 0o644); err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { err = errors.Join(err, os.Remove(caFile)) }()
	context.AfterFunc(ctx, func() { _ = server.Close() })
	fmt.Fprintf(out, "serving on %s until ^C; the certificate to trust is in %s\n", listener.Addr(),
		caFile)
	if err := server.ServeTLS(listener, "", ""); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// newServer returns a server for the webhooks, and the CA bundle for its
// clients.
func newServer() (*http.Server, []byte, error) {
	config, bundle, err := newTLS()
	if err != nil {
		return nil, nil, fmt.Errorf("making certificates: %w", err)
	}
	return &http.Server{
		Handler:           handler(),
		TLSConfig:         config,
		ReadHeaderTimeout: 10 * time.Second,
		// Clients report certificates that they do not trust.
		ErrorLog: log.New(io.Discard, "", 0),
	}, bundle, nil
}
