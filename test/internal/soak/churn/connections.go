package churn

import (
	"context"
	"net"
	"net/http/httptrace"
	"sync"
)

// connections are those that the calls of a phase have used, one for each call.
type connections struct {
	mu   sync.Mutex
	used []net.Conn
}

// observe returns a context whose calls are observed.
func (c *connections) observe(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.used = append(c.used, got.Conn)
	}})
}

// count returns how many calls have used such a connection.
func (c *connections) count(such func(client net.Conn) bool) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	var n int64
	for _, client := range c.used {
		if such(client) {
			n++
		}
	}
	return n
}
