package apiserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
)

// defaultListen is the default of Config.Listen.
const defaultListen = "127.0.0.1:0"

// listen opens a listener on HOST:PORT.
func (s *Server) listen(ctx context.Context, address string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is in use by another program", address)
	}
	if err != nil {
		return nil, err
	}
	s.atStop(func() error {
		// The generic server closes the listener if it has run.
		if err := listener.Close(); !errors.Is(err, net.ErrClosed) {
			return err
		}
		return nil
	})
	return listener, nil
}
