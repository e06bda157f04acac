package client

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"
)

// maxConnections is the maximum number of HTTP/2 connections for one review.
const maxConnections = 3

// connectionLimitTransport fails a call if the server closes one HTTP/2
// connection after the other before it responds. On a GOAWAY frame net/http
// retries at once and without limit: hundreds of TLS handshakes per second
// until the call's timeout.
//
// net/http calls GetBody before it sends a request again, which is where this
// transport applies the limit. Requests without a body, such as a review after
// some redirects, have no GetBody and are not limited. HTTP/1.1 is not limited
// either: net/http retries there only on connections that were idle and turn
// out to be dead, and there can be as many of these as there were concurrent
// calls.
type connectionLimitTransport struct{ wrapper }

// RoundTrip implements http.RoundTripper.
func (t connectionLimitTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.GetBody == nil {
		return t.next.RoundTrip(req)
	}
	var used connectionCount
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) { used.add(info.Conn) }}
	limited := req.WithContext(httptrace.WithClientTrace(req.Context(), trace))
	limited.GetBody = func() (io.ReadCloser, error) {
		if n := used.total(); n >= maxConnections {
			return nil, fmt.Errorf("the server took back %d HTTP/2 connections without answering", n)
		}
		return req.GetBody()
	}
	return t.next.RoundTrip(limited)
}

// connectionCount counts the HTTP/2 connections that carried one request.
type connectionCount struct {
	mu   sync.Mutex
	last net.Conn
	n    int
}

// add counts conn unless it is the one counted last, as it is when a server
// refuses a stream but keeps the connection.
func (c *connectionCount) add(conn net.Conn) {
	secure, ok := conn.(interface{ ConnectionState() tls.ConnectionState })
	if !ok || secure.ConnectionState().NegotiatedProtocol != "h2" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if conn != c.last {
		c.last = conn
		c.n++
	}
}

func (c *connectionCount) total() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}
