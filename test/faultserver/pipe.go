package faultserver

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// memoryConn is one end of a connection in memory. It behaves as a TCP
// connection does, but that it cannot be reset.
type memoryConn struct {
	in, out       *pipe
	local, remote *net.TCPAddr

	readBy, writeBy *deadline

	mu     sync.Mutex
	closed bool
}

// newPipe returns the two ends of a connection to an address from a port.
func newPipe(address *net.TCPAddr, port int) (client, server *memoryConn) {
	from := &net.TCPAddr{IP: address.IP, Port: port}
	up, down := newHalf(), newHalf()
	client = &memoryConn{in: down, out: up, local: from, remote: address, readBy: newDeadline(),
		writeBy: newDeadline()}
	server = &memoryConn{in: up, out: down, local: address, remote: from, readBy: newDeadline(),
		writeBy: newDeadline()}
	return client, server
}

func (c *memoryConn) Read(p []byte) (n int, err error) {
	for {
		if err := c.usable(c.readBy); err != nil {
			return 0, c.failure("read", err)
		}
		done, changed := c.in.attempt(func() bool {
			if c.in.dropped { // Close came in between, and nothing will change any more
				err = c.failure("read", net.ErrClosed)
				return true
			}
			n = copy(p, c.in.data)
			c.in.data = c.in.data[n:]
			if n == 0 && c.in.ended {
				err = io.EOF
			}
			return n > 0 || err != nil || len(p) == 0
		})
		if done {
			return n, err
		}
		if err := c.readBy.wait(changed); err != nil {
			return 0, c.failure("read", err)
		}
	}
}

func (c *memoryConn) Write(p []byte) (n int, err error) {
	for n < len(p) {
		if err := c.usable(c.writeBy); err != nil {
			return n, c.failure("write", err)
		}
		done, changed := c.out.attempt(func() bool {
			if c.out.ended || c.out.dropped {
				err = os.NewSyscallError("write", syscall.EPIPE)
				return true
			}
			fits := min(capacity-len(c.out.data), len(p)-n)
			c.out.data = append(c.out.data, p[n:n+fits]...)
			n += fits
			return fits > 0
		})
		if err != nil {
			return n, c.failure("write", err)
		}
		if done {
			continue
		}
		if err := c.writeBy.wait(changed); err != nil {
			return n, c.failure("write", err)
		}
	}
	return n, nil
}

// usable reports why nothing can be read or written any more.
func (c *memoryConn) usable(by *deadline) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return net.ErrClosed
	}
	if by.over() {
		return os.ErrDeadlineExceeded
	}
	return nil
}

func (c *memoryConn) failure(op string, err error) error {
	return &net.OpError{Op: op, Net: "tcp", Source: c.local, Addr: c.remote, Err: err}
}

// CloseWrite ends this end's direction.
func (c *memoryConn) CloseWrite() error {
	c.out.change(func() { c.out.ended = true })
	return nil
}

func (c *memoryConn) Close() error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil
	}
	c.closed = true
	c.mu.Unlock()
	c.out.change(func() { c.out.ended = true })
	c.in.change(func() { c.in.dropped, c.in.data = true, nil })
	return nil
}

func (c *memoryConn) LocalAddr() net.Addr  { return c.local }
func (c *memoryConn) RemoteAddr() net.Addr { return c.remote }

func (c *memoryConn) SetDeadline(t time.Time) error {
	c.readBy.set(t)
	c.writeBy.set(t)
	return nil
}

func (c *memoryConn) SetReadDeadline(t time.Time) error {
	c.readBy.set(t)
	return nil
}

func (c *memoryConn) SetWriteDeadline(t time.Time) error {
	c.writeBy.set(t)
	return nil
}
