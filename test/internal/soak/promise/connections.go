package promise

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
)

// connections counts those that a plugin opens, and cuts it off when it has
// seen enough. The zero value only counts.
type connections struct {
	// mostRead is how many bytes may arrive, mostMade how many connections may
	// be made. 0 is any number.
	mostRead, mostMade int64

	open, made, read atomic.Int64
}

// errEnough is what a plugin gets that has been cut off.
var errEnough = errors.New("the check has seen enough")

type dial func(ctx context.Context, network, address string) (net.Conn, error)

// through wraps a dial function and counts its connections.
func (c *connections) through(next dial) dial {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if n := c.made.Add(1); c.mostMade > 0 && n > c.mostMade {
			return nil, errEnough
		}
		conn, err := next(ctx, network, address)
		if err != nil {
			return nil, err
		}
		c.open.Add(1)
		return &counted{Conn: conn, all: c}, nil
	}
}

type counted struct {
	net.Conn
	all  *connections
	once sync.Once
}

// Read implements net.Conn.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if read := c.all.read.Add(int64(n)); c.all.mostRead > 0 && read > c.all.mostRead {
		return 0, errEnough
	}
	return n, err
}

// Close implements net.Conn.
func (c *counted) Close() error {
	c.once.Do(func() { c.all.open.Add(-1) })
	return c.Conn.Close()
}
