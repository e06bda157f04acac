package memorynet

import (
	"context"
	"net"
	"os"
	"sync"
	"syscall"
)

// Listener accepts the connections that Dial opens. Make one with Listen.
type Listener struct {
	address  net.Addr
	incoming chan net.Conn
	closed   chan struct{}
	close    sync.Once
}

// Listen returns a listener with a port of 127.0.0.1 as its address. Nothing
// listens there.
func Listen(port int) *Listener {
	return &Listener{
		address:  &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port},
		incoming: make(chan net.Conn),
		closed:   make(chan struct{}),
	}
}

// Accept implements net.Listener.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.incoming:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close has connections refused from now on. Those that are open stay open.
func (l *Listener) Close() error {
	l.close.Do(func() { close(l.closed) })
	return nil
}

// Addr implements net.Listener.
func (l *Listener) Addr() net.Addr { return l.address }

// Dial connects to l. After Close it is refused, as by a kernel.
func (l *Listener) Dial(ctx context.Context) (net.Conn, error) {
	client, server := net.Pipe()
	err := ctx.Err()
	if err == nil {
		select {
		case l.incoming <- server:
			return client, nil
		case <-ctx.Done():
			err = ctx.Err()
		case <-l.closed:
			err = os.NewSyscallError("connect", syscall.ECONNREFUSED)
		}
	}
	_, _ = client.Close(), server.Close()
	return nil, &net.OpError{Op: "dial", Net: "tcp", Addr: l.address, Err: err}
}
