package faultserver

import (
	"crypto/tls"
	"net"
)

// handshake puts TLS over the connection.
func (l *link) handshake(plan TLS, number int) error {
	config, err := l.handshakeConfig(plan, number)
	if err != nil {
		l.server.problem("tls: " + err.Error())
		return err
	}
	under := l.wire
	if plan.Stall != nil {
		under = &stalling{Conn: l.wire, left: *plan.Stall, hang: l.hang}
	}
	conn := tls.Server(under, config)
	if err := conn.Handshake(); err != nil {
		l.close() // the client would not see the alert behind an RST
		return err
	}
	l.conn, l.scheme = conn, "https"
	l.server.change(func(r *Record) { r.Handshakes++ })
	return nil
}

func (l *link) handshakeConfig(plan TLS, number int) (*tls.Config, error) {
	if number < len(l.server.handshakes) {
		return l.server.handshakes[number], nil
	}
	return plan.config(l.server)
}

// stalling lets so many bytes out and then none for ever.
type stalling struct {
	net.Conn
	left int
	hang func() error
}

func (s *stalling) Write(p []byte) (int, error) {
	if len(p) < s.left {
		s.left -= len(p)
		return s.Conn.Write(p)
	}
	n, err := s.Conn.Write(p[:s.left])
	s.left = 0
	if err != nil {
		return n, err
	}
	return n, s.hang()
}
