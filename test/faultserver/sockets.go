package faultserver

import (
	"context"
	"fmt"
	"net"
	"sync"
)

// openSockets implements carry with a port of the loopback interface.
func openSockets(script Script, _ bool) (carrier, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return carrier{}, fmt.Errorf("listening: %w", err)
	}
	address := listener.Addr().String()
	c := carrier{
		listener: listener,
		dial: func(ctx context.Context) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", address)
		},
		end: func() {},
	}
	switch script.Listen {
	case ListenRefuse:
		_ = listener.Close() // which nothing uses yet
	case ListenFull:
		fillers, err := fillQueue(listener.(*net.TCPListener))
		if err != nil {
			_ = listener.Close()
			return carrier{}, fmt.Errorf("filling the queue of connections: %w", err)
		}
		c.listener = newFullListener(listener)
		c.end = func() {
			for _, filler := range fillers {
				_ = filler.Close()
			}
		}
	}
	return c, nil
}

// fullListener accepts nothing, so that the queue stays full.
type fullListener struct {
	net.Listener
	close  sync.Once
	closed chan struct{}
}

func newFullListener(l net.Listener) *fullListener {
	return &fullListener{Listener: l, closed: make(chan struct{})}
}

func (l *fullListener) Accept() (net.Conn, error) {
	<-l.closed
	return nil, net.ErrClosed
}

func (l *fullListener) Close() error {
	l.close.Do(func() { close(l.closed) })
	return l.Listener.Close()
}
