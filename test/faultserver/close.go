package faultserver

import (
	"crypto/tls"
	"io"
	"net"
	"os"
	"time"
)

// farewell is how long a client may take to close after the server has.
const farewell = time.Second

// close ends the connection in good order. Closing a socket with something
// unread would reset it, so whatever the client still sends is thrown away.
func (l *link) close() {
	defer l.cut()
	_ = l.raw.SetWriteDeadline(time.Now().Add(farewell))
	if l.halfClose() != nil {
		return
	}
	_ = l.raw.SetReadDeadline(time.Now().Add(farewell))
	_, _ = io.Copy(io.Discard, l.wire) // an error is an end too
}

// halfClose says goodbye and ends the server's direction.
func (l *link) halfClose() error {
	timer := time.NewTimer(farewell)
	defer timer.Stop()
	select {
	case l.writing <- struct{}{}:
		defer func() { <-l.writing }()
	case <-timer.C:
		return os.ErrDeadlineExceeded
	}
	if t, ok := l.conn.(*tls.Conn); ok {
		_ = t.CloseWrite() // the other side may be gone
	}
	if half, ok := l.raw.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// reset has the kernel send RST.
func (l *link) reset() {
	if t, ok := l.raw.(*net.TCPConn); ok {
		_ = t.SetLinger(0) // fails only if the connection is over already
	}
	l.cut()
}

// cut ends the connection at once. It may be called more than once.
func (l *link) cut() {
	_ = l.raw.Close()
	l.server.mu.Lock()
	defer l.server.mu.Unlock()
	delete(l.server.open, l.raw)
}

// hang reads on, for nothing but to notice the client going.
func (l *link) hang() error {
	if l.deaf {
		<-l.server.done
		return errOver
	}
	_, _ = io.Copy(io.Discard, l.conn) // an error is an end too
	return errOver
}
