package webhookserver

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/test/internal/parity/scenario"
)

// Server is a running server. Make one with Start and end it with Close.
type Server struct {
	authority *certs.Authority
	address   string
	http      *http.Server
	served    chan struct{} // closed when the accept loop has ended
	decoder   runtime.Decoder

	// mu guards what a run changes.
	mu       sync.Mutex
	answers  map[string][]scenario.Answer
	requests []Request
	watch    func(Request)
	late     func(Request)
	active   int
	idle     *sync.Cond // signalled when active becomes 0
}

// Start serves on 127.0.0.1 until Close is called.
func Start() (*Server, error) {
	authority, err := certs.NewAuthority("parity")
	if err != nil {
		return nil, fmt.Errorf("starting the webhooks: %w", err)
	}
	decoder, err := newDecoder()
	if err != nil {
		return nil, fmt.Errorf("starting the webhooks: %w", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("starting the webhooks: %w", err)
	}
	s := &Server{
		authority: authority,
		address:   listener.Addr().String(),
		served:    make(chan struct{}),
		decoder:   decoder,
	}
	s.idle = sync.NewCond(&s.mu)
	s.http = &http.Server{
		Handler: http.HandlerFunc(s.serve),
		TLSConfig: &tls.Config{GetCertificate: authority.Issuer().Certificate,
			MinVersion: tls.VersionTLS12},
		ReadHeaderTimeout: 10 * time.Second,
		// Clients that give up are part of the scenarios.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	go func() {
		defer close(s.served)
		_ = s.http.ServeTLS(listener, "", "") // the certificates are in the TLSConfig
	}()
	return s, nil
}

// Address returns the server's host and port.
func (s *Server) Address() string { return s.address }

// CABundle returns the PEM by which clients verify the server under any name.
func (s *Server) CABundle() []byte { return s.authority.Bundle() }

// Close cuts off all connections, which ends the requests on them, and waits
// for both. It may be called once.
func (s *Server) Close() error {
	err := s.http.Close()
	<-s.served
	return errors.Join(err, s.waitUntilIdle())
}

// Script resets the server and sets the answers of the next run, by path; they
// must not be changed. It waits for requests of the last run whose clients have
// disconnected; it returns an error if some do not end.
func (s *Server) Script(answers map[string][]scenario.Answer) error {
	if err := s.waitUntilIdle(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers, s.requests = answers, nil
	return nil
}

// Watch calls f for every request from now on, before the response. f must be
// safe for concurrent use.
func (s *Server) Watch(f func(Request)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watch = f
}

// WatchLate calls f for every request from now on whose response is to be late.
// f must make the client disconnect.
func (s *Server) WatchLate(f func(Request)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.late = f
}

// wait reports a request whose response is to be late, and returns when its
// client has disconnected.
func (s *Server) wait(r *http.Request, asked Request) {
	s.mu.Lock()
	late := s.late
	s.mu.Unlock()
	if late != nil {
		late(asked)
	}
	<-r.Context().Done()
}

// Requests returns the requests since Script, in the order of arrival. The
// caller owns the slice but must not modify its elements.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// patience is the time that a request may last after its client disconnected.
const patience = 10 * time.Second

func (s *Server) waitUntilIdle() error {
	late := time.AfterFunc(patience, s.idle.Broadcast)
	defer late.Stop()
	start := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.active > 0 {
		if time.Since(start) >= patience {
			return fmt.Errorf("%d requests are still being served after %v", s.active, patience)
		}
		s.idle.Wait()
	}
	return nil
}

// enter keeps a request and returns the script that it falls under.
func (s *Server) enter(r Request) map[string][]scenario.Answer {
	s.mu.Lock()
	s.active++
	s.requests = append(s.requests, r)
	answers, watch := s.answers, s.watch
	s.mu.Unlock()
	if watch != nil {
		watch(r)
	}
	return answers
}

func (s *Server) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active--; s.active == 0 {
		s.idle.Broadcast()
	}
}
