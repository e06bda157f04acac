package faultserver

import (
	"net"
	"sync"
)

// dialled knows which hosts clients have connected to. A client does not tell
// the server which IP address it wants a certificate for; Dial is told.
type dialled struct {
	mu    sync.Mutex
	hosts map[string]string // by the client's own address, of which there are not many
}

// remember notes the host that a new connection was dialled for. Nothing has
// been sent on it yet.
func (d *dialled) remember(conn net.Conn, address string) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = "" // an address that only Dial can make something of
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.hosts == nil {
		d.hosts = map[string]string{}
	}
	d.hosts[conn.LocalAddr().String()] = host
}

// host returns the host that a client has connected to. Who has not used Dial
// has connected to the server's own address.
func (d *dialled) host(client net.Addr) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if host := d.hosts[client.String()]; host != "" {
		return host
	}
	return "127.0.0.1"
}
