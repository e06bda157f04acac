package faultserver

import (
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
