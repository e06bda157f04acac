package process

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"time"
)

// loopback is where commands listen. Nobody on another machine is to reach them.
const loopback = "127.0.0.1"

// attempt is how long one attempt to reach a command may take. On the loopback address only
// a command that is busy takes any time at all.
const attempt = 5 * time.Second

// addressOf returns where a port is.
func addressOf(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }

// choosePort returns the port that is wanted, on which nobody must be listening, or a free
// one for 0.
//
// A free port may be taken by somebody else before the command listens on it. Nothing can
// be done about that, as the command cannot be handed a listener. It does not go unnoticed:
// nobody else has the certificate.
func choosePort(ctx context.Context, wanted int32) (int, error) {
	if wanted == 0 {
		return freePort(ctx)
	}
	// To listen would tell less: some systems let two listen where one of them has a
	// narrower address, and some ports are for commands with more rights than we have.
	if somebody, err := dial(ctx, addressOf(int(wanted))); err == nil {
		_ = somebody.Close()
		return 0, fmt.Errorf("somebody else listens on port %d already", wanted)
	}
	return int(wanted), nil
}

// freePort returns a port that the system has just given us, and that we have given back.
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
