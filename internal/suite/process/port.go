package process

import (
	"context"
	"fmt"
	"math/rand/v2"
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

// Free ports are chosen at random from a range below the one from which Linux,
// macOS and Windows take the ports of clients and of listeners that name no port:
// on a busy machine these take any port there before the command listens.
const firstPort, ports = 15_000, 15_000

// freePort returns a port that was free a moment ago.
func freePort(ctx context.Context) (port int, err error) {
	const attempts = 20
	for range attempts {
		port = firstPort + rand.IntN(ports)
		var listener net.Listener
		if listener, err = new(net.ListenConfig).Listen(ctx, "tcp", addressOf(port)); err == nil {
			err = listener.Close()
		}
		if err == nil {
			return port, nil
		}
	}
	return 0, fmt.Errorf("looking for a free port: %w", err)
}

// dial connects to an address.
func dial(ctx context.Context, address string) (net.Conn, error) {
	return (&net.Dialer{Timeout: attempt}).DialContext(ctx, "tcp", address)
}
