package process

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"time"
)

// loopback is the listen address, unreachable from other machines.
const loopback = "127.0.0.1"

// attempt limits one connection attempt. On the loopback address only a busy
// command needs any time.
const attempt = 5 * time.Second

// addressOf returns the address of a port.
func addressOf(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }

// choosePort returns the wanted port, on which no process may listen yet, or a
// free one for 0.
//
// Another process may take a free port before the command listens. That is
// unavoidable, as the command opens the listener itself, but detected: only the
// command has the certificate.
func choosePort(ctx context.Context, wanted int32) (int, error) {
	if wanted == 0 {
		return freePort(ctx)
	}
	// Dialing is more reliable than listening: some systems allow a second
	// listener with a narrower address, and some ports need privileges.
	if other, err := dial(ctx, addressOf(int(wanted))); err == nil {
		_ = other.Close()
		return 0, fmt.Errorf("another process listens on port %d already", wanted)
	}
	return int(wanted), nil
}

// freePort returns a port that was free a moment ago.
func freePort(ctx context.Context) (int, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addressOf(0))
	if err != nil {
		return 0, fmt.Errorf("looking for a free port: %w", err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	if err := listener.Close(); err != nil {
		return 0, fmt.Errorf("looking for a free port: %w", err)
	}
	return port, nil
}

// dial connects to an address.
func dial(ctx context.Context, address string) (net.Conn, error) {
	return (&net.Dialer{Timeout: attempt}).DialContext(ctx, "tcp", address)
}
