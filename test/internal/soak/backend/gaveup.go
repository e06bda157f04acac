package backend

import (
	"net"
	"net/http"
	"strings"
	"sync"
)

// GaveUp reports whether the server without a fault has closed a client's
// HTTP/2 connection before it read a request, because the client's SETTINGS had
// not arrived within two seconds. net/http gives a client no longer. In a soak,
// client and server share a process, so this happens when the process does not
// run for that time.
func (b *Backend) GaveUp(client net.Conn) bool {
	return client.RemoteAddr().String() == b.url.Host &&
		b.gaveUp.contains(client.LocalAddr().String())
}

// addresses are those of the clients whose connections a server gave up.
type addresses struct {
	mu   sync.Mutex
	seen map[string]bool
}

// Write implements io.Writer for the server's log. The log package writes one
// message at a time.
func (a *addresses) Write(message []byte) (int, error) {
	const before = "timeout waiting for SETTINGS frames from "
	if _, address, ok := strings.Cut(string(message), before); ok {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.seen == nil {
			a.seen = map[string]bool{}
		}
		a.seen[strings.TrimSpace(address)] = true
	}
	return len(message), nil
}

// reuse forgets the address of a new connection, an http.Server's ConnState.
func (a *addresses) reuse(c net.Conn, state http.ConnState) {
	if state == http.StateNew {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.seen, c.RemoteAddr().String())
	}
}

func (a *addresses) contains(address string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.seen[address]
}
