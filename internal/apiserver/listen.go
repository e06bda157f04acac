package apiserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
)

// anyPort is where servers listen by default.
const anyPort = "127.0.0.1:0"

// listen opens the port of an address, which is HOST:PORT.
func (s *Server) listen(ctx context.Context, address string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is in use by another program", address)
	}
	if err != nil {
		return nil, err
	}
	s.atStop(func() error {
		// Once it has served, the generic server has closed it.
		if err := listener.Close(); !errors.Is(err, net.ErrClosed) {
			return err
		}
		return nil
	})
	return listener, nil
}

// everywhere reports whether a host stands for all addresses of the machine.
func everywhere(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || ip != nil && ip.IsUnspecified()
}

// reachable returns an address that clients on the machine can use.
func reachable(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err != nil || !everywhere(host) {
		return address
	}
	return net.JoinHostPort("127.0.0.1", port)
}
