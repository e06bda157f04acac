package faultserver

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Server runs a script. Create one with Listen or InMemory, and Close it.
type Server struct {
	script      Script
	carrier     carrier
	authorities *authorities
	handshakes  []*tls.Config // of script.Connections; nil where TLS is off
	other       *Server       // the second origin, if there is one
	dialled     dialled

	done chan struct{} // closed by Close
	idle chan struct{} // closed when the last goroutine has ended, after done

	// mu guards what follows. Nothing blocks under it.
	mu      sync.Mutex
	closed  bool
	active  int // goroutines
	open    map[net.Conn]bool
	record  Record
	arrived int // requests
	// forgetful says that requests are counted and not kept.
	forgetful bool
}

// carrier is how clients and server meet.
type carrier struct {
	listener net.Listener // closed already if connections are refused
	dial     func(context.Context) (net.Conn, error)
	end      func() // what else Close has to do
}

// carry opens a carrier. second is true for the second origin.
type carry func(script Script, second bool) (carrier, error)

// Listen runs the script on a port of 127.0.0.1. It fails if the script is
// invalid, or if it cannot listen.
func Listen(script Script) (*Server, error) {
	server, err := start(script, openSockets)
	if err != nil {
		return nil, fmt.Errorf("starting a fault server: %w", err)
	}
	return server, nil
}

// InMemory runs the script on connections within this process, which only Dial
// creates. It is for tests with virtual time: call it inside the bubble of
// testing/synctest. It fails if the script is invalid or if a step needs real
// sockets.
func InMemory(script Script) (*Server, error) {
	if step := script.NeedsSockets(); step != "" {
		return nil, fmt.Errorf("starting a fault server: step %q needs real sockets: use Listen", step)
	}
	server, err := start(script, openMemory)
	if err != nil {
		return nil, fmt.Errorf("starting a fault server: %w", err)
	}
	return server, nil
}

func openMemory(script Script, second bool) (carrier, error) {
	port := 8443
	if second {
		port = 8444
	}
	listener := newMemoryListener(port)
	c := carrier{listener: listener, dial: listener.dial, end: func() {}}
	switch script.Listen {
	case ListenRefuse:
		_ = listener.Close()
	case ListenFull:
		c.listener = newFullListener(listener)
	}
	return c, nil
}

func start(script Script, open carry) (*Server, error) {
	if err := script.Validate(); err != nil {
		return nil, err
	}
	from, err := newAuthorities()
	if err != nil {
		return nil, err
	}
	var other *Server
	if script.Other != nil {
		if other, err = startOrigin(*script.Other, from, open, true); err != nil {
			return nil, err
		}
	}
	server, err := startOrigin(script, from, open, false)
	if err != nil {
		if other != nil {
			err = errors.Join(err, other.Close())
		}
		return nil, err
	}
	server.other = other
	server.spawn(server.accept)
	return server, nil
}

// startOrigin opens a server. Its accept loop is started by the caller if it is
// the first one, because it has to know the second.
func startOrigin(script Script, from *authorities, open carry, second bool) (*Server, error) {
	s := &Server{
		script:      script,
		authorities: from,
		done:        make(chan struct{}),
		idle:        make(chan struct{}),
		open:        map[net.Conn]bool{},
	}
	for i, c := range script.Connections {
		config, err := c.TLS.config(s)
		if err != nil {
			return nil, fmt.Errorf("connections[%d]: %w", i, err)
		}
		s.handshakes = append(s.handshakes, config)
	}
	var err error
	if s.carrier, err = open(script, second); err != nil {
		return nil, err
	}
	if second {
		s.spawn(s.accept)
	}
	return s, nil
}

// Address returns the host and port of the server. In memory nothing listens
// there.
func (s *Server) Address() string { return s.carrier.listener.Addr().String() }

// URL returns the URL of the server for clients, without a path. The scheme is
// https, also when TLS is off, because that is the fault. For plain HTTP, write
// http:// before the Address.
func (s *Server) URL() string { return "https://" + s.Address() }

// origin is what {{other}} stands for: where the server can be reached.
func (s *Server) origin() string {
	if len(s.script.Connections) > 0 && s.script.Connections[0].TLS.Off {
		return "http://" + s.Address()
	}
	return s.URL()
}

// CABundle returns the PEM with which clients verify the server, under any
// name, as for the field caBundle of a webhook configuration. The caller owns
// the slice.
func (s *Server) CABundle() []byte { return s.authorities.trusted.Bundle() }

// Other returns the second origin, or nil if the script has none. The first
// origin's Close closes it.
func (s *Server) Other() *Server { return s.other }

// Dial connects a client to the server, whatever the address, unless it is that
// of the second origin. If the client then sends no server name, it gets a
// certificate for the host in the address. Dial's type is that of
// http.Transport.DialContext.
func (s *Server) Dial(ctx context.Context, _, address string) (net.Conn, error) {
	origin := s
	if s.other != nil && address == s.other.Address() {
		origin = s.other
	}
	conn, err := origin.carrier.dial(ctx)
	if err != nil {
		return nil, err
	}
	origin.dialled.remember(conn, address)
	return conn, nil
}

// Client returns a new client that connects to the server and trusts it. It
// speaks HTTP/2 if the server offers it. With virtual time, call its
// CloseIdleConnections; otherwise Close is enough.
func (s *Server) Client() *http.Client {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(s.CABundle())
	return &http.Client{Transport: &http.Transport{
		DialContext:       s.Dial,
		ForceAttemptHTTP2: true,
		TLSClientConfig:   &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
	}}
}

// patience is how long Close waits. Whatever a script does ends when its
// connection is closed or, as long as it writes nothing, when done is: this
// time is never used up.
const patience = 5 * time.Second

// Close ends all connections and waits until all goroutines have ended. You may
// call it more than once. It returns an error if some goroutines have not
// ended.
func (s *Server) Close() error {
	s.shut()
	var err error
	if s.other != nil {
		err = s.other.Close()
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-s.idle:
		return err
	case <-timer.C:
		s.mu.Lock()
		defer s.mu.Unlock()
		return errors.Join(err, fmt.Errorf("closing a fault server: %d goroutines have not ended after %v", s.active, patience))
	}
}

func (s *Server) shut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	close(s.done)
	_ = s.carrier.listener.Close() // of a server that refuses it is closed already
	s.carrier.end()
	for c := range s.open {
		_ = c.Close()
	}
	if s.active == 0 {
		close(s.idle)
	}
}

// spawn runs work in a goroutine that Close waits for. After Close it does
// nothing and says so.
func (s *Server) spawn(work func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.active++
	go func() {
		defer s.leave()
		work()
	}()
	return true
}

func (s *Server) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active--
	if s.closed && s.active == 0 {
		close(s.idle)
	}
}

// over reports that the server has been closed.
func (s *Server) over() error {
	select {
	case <-s.done:
		return net.ErrClosed
	default:
		return nil
	}
}

// sleep waits, but no longer than the server lives.
func (s *Server) sleep(d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-s.done:
		return net.ErrClosed
	}
}
