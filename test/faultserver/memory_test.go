package faultserver

import (
	"errors"
	"net"
	"testing"

	"golang.org/x/net/nettest"
)

// TestMemoryConn holds the connections in memory to what every net.Conn has to
// do.
func TestMemoryConn(t *testing.T) {
	t.Parallel()
	nettest.TestConn(t, func() (one, other net.Conn, stop func(), err error) {
		one, other = newPipe(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}, 2)
		return one, other, func() {
			_ = one.Close()
			_ = other.Close()
		}, nil
	})
}

// TestReadWhileClosing closes a connection between Read's two looks at it,
// after which nothing would wake Read up.
func TestReadWhileClosing(t *testing.T) {
	t.Parallel()
	one, _ := newPipe(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}, 2)
	one.in.change(func() { one.in.dropped = true }) // the second half of Close
	if _, err := one.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("got %v", err)
	}
}
