package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"runtime/debug"
	"sync/atomic"

	"example.com/gatehouse/internal/certs"
)

const (
	// backendVariable in the environment makes this program the webhooks'
	// server.
	backendVariable = "GATEHOUSE_BENCHMARK_BACKEND"
	// serviceNamespace is where the services of webhooks are.
	serviceNamespace = "hooks"
)

// backendGarbage is the GOGC of a backend, which has little memory in use.
const backendGarbage = 800

// The commands that a backend takes on its standard input, one on a line. Each
// is answered with one line of JSON on its standard output.
const (
	commandRecord      = "record"
	commandTake        = "take"
	commandConnections = "connections"
)

// introduction is the first message of a backend.
type introduction struct {
	Address string
	Bundle  []byte
}

// backend runs webhooks in a separate process: HTTP/1.1 with TLS on loopback.
type backend struct {
	reader   *reader
	kept     *kept
	accepted atomic.Int64
}

// serveBackend serves webhooks that have no objection until its input ends.
func serveBackend(ctx context.Context, in io.Reader, out io.Writer) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("starting the backend: %w", err)
	}
	authority, err := certs.NewAuthority("gatehouse benchmark")
	if err != nil {
		return err
	}
	certificate, err := authority.Server("*." + serviceNamespace + ".svc")
	if err != nil {
		return err
	}
	b := &backend{reader: newReader(), kept: &kept{}}
	server := &http.Server{
		Handler: b, ConnState: b.count, ErrorLog: log.New(io.Discard, "", 0),
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate},
			NextProtos: []string{"http/1.1"}},
	}
	defer server.Close()
	debug.SetGCPercent(backendGarbage)   // what the webhooks cost is not what is measured
	go server.ServeTLS(listener, "", "") //nolint:errcheck // It ends with the process.
	replies := json.NewEncoder(out)
	if err := replies.Encode(introduction{listener.Addr().String(), authority.Bundle()}); err != nil {
		return err
	}
	commands := bufio.NewScanner(in)
	for commands.Scan() {
		if err := replies.Encode(b.obey(commands.Text())); err != nil {
			return err
		}
	}
	return commands.Err()
}

func (b *backend) obey(command string) any {
	switch command {
	case commandRecord:
		b.kept.start()
		return true
	case commandTake:
		return b.kept.take()
	case commandConnections:
		return b.accepted.Load()
	}
	return nil
}

// count counts connections when they begin.
func (b *backend) count(_ net.Conn, state http.ConnState) {
	if state == http.StateNew {
		b.accepted.Add(1)
	}
}

// ServeHTTP implements http.Handler.
func (b *backend) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer, err := b.reader.read(r.Body, b.kept.wanted(), func() {}, func(read review) []byte {
		if read.body != nil {
			b.kept.add(r.Host+r.URL.Path, read)
		}
		return answers(nil).to(r.URL.Path, read.uid)
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	// A client that is gone is no concern of the backend's.
	_, _ = w.Write(answer)
}
