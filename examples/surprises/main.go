// Surprises serves the webhooks that the examples beside it, and those of
// examples/dispatch, are about: on this machine, over TLS, until ^C. What each of them
// does is in webhooks.go.
//
//	go run ./examples/surprises --ca-file ca.crt
//
// The certificate authority is made anew every time. Its certificate is written to the
// file, for gatehouse's own --ca-file, and the file is removed at the end.
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
	address := flag.String("listen", "127.0.0.1:9443", "`address` to serve on; the configurations name this one")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *address, *caFile, os.Stdout); err != nil {
		log.Fatalf("surprises: %v", err)
	}
}

// run serves the webhooks until the context ends. That is how it ends well.
func run(ctx context.Context, address, caFile string, out io.Writer) (err error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	server, bundle, err := newServer()
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	if err := os.WriteFile(caFile, bundle, 0o644); err != nil { //nolint:gosec // certificates are public
		return errors.Join(err, listener.Close())
	}
	defer func() { err = errors.Join(err, os.Remove(caFile)) }()
	context.AfterFunc(ctx, func() { _ = server.Close() })
	fmt.Fprintf(out, "serving on %s until ^C; the certificate to trust is in %s\n", listener.Addr(), caFile)
	if err := server.ServeTLS(listener, "", ""); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// newServer returns a server for the webhooks, and the certificate by which it is known.
func newServer() (*http.Server, []byte, error) {
	config, bundle, err := newTLS()
	if err != nil {
		return nil, nil, fmt.Errorf("making certificates: %w", err)
	}
	return &http.Server{
		Handler:           handler(),
		TLSConfig:         config,
		ReadHeaderTimeout: 10 * time.Second,
		// Whoever does not trust the certificate is told so by their own side.
		ErrorLog: log.New(io.Discard, "", 0),
	}, bundle, nil
}
