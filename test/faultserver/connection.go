package faultserver

import (
	"crypto/tls"
	"errors"
	"net"
	"time"

	"golang.org/x/net/http2"
)

// accept gives every connection its goroutine until the listener is closed.
func (s *Server) accept() {
	for {
		conn, err := s.carrier.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			// The process has run out of something; connections that end give
			// it back.
			if s.sleep(10*time.Millisecond) != nil {
				return
			}
			continue
		}
		s.admit(conn)
	}
}

// admit starts a connection, unless the server is being closed.
func (s *Server) admit(conn net.Conn) {
	s.mu.Lock()
	s.open[conn] = true
	number := s.record.Connections
	s.record.Connections++
	s.mu.Unlock()

	l := newLink(s, conn, number)
	if !s.spawn(l.serve) {
		l.cut()
	}
}

// link is one connection, seen from the server.
type link struct {
	server *Server
	number int
	raw    net.Conn // as it was accepted
	wire   net.Conn // raw, counted
	conn   net.Conn // wire, or TLS over it
	scheme string
	deaf   bool // nothing is read any more

	// writing is held by the writer. It is a channel because waiting for a
	// mutex would stop virtual time.
	writing chan struct{}
}

func newLink(s *Server, conn net.Conn, number int) *link {
	wire := counted{conn, s}
	return &link{
		server: s, number: number,
		raw: conn, wire: wire, conn: wire,
		scheme:  "http",
		writing: make(chan struct{}, 1),
	}
}

// counted counts what arrives.
type counted struct {
	net.Conn
	server *Server
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.server.change(func(r *Record) { r.Bytes += int64(n) })
	}
	return n, err
}

// serve lives through the whole connection.
func (l *link) serve() {
	defer l.cut() // does nothing if the connection has been ended otherwise
	plan := Connection{}
	number := l.number
	if n := len(l.server.script.Connections); n > 0 {
		number = min(number, n-1)
		plan = l.server.script.Connections[number]
	}
	if l.run(plan.Before, bare{l}) != nil {
		return
	}
	if !plan.TLS.Off {
		if err := l.handshake(plan.TLS, number); err != nil {
			return
		}
	}
	if t, ok := l.conn.(*tls.Conn); ok &&
		t.ConnectionState().NegotiatedProtocol == http2.NextProtoTLS {
		newHTTP2(l).serve(plan.After)
		return
	}
	if l.run(plan.After, bare{l}) == nil {
		l.serveHTTP1()
	}
}
