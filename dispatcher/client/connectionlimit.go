package client

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"

	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// maxConnections is on how many HTTP/2 connections a review is sent at most.
const maxConnections = 3

// connectionLimit ends a call whose server takes every HTTP/2 connection back
// before it has answered. net/http takes the GOAWAY frame for an invitation to
// try elsewhere at once and without end: hundreds of TLS handshakes per second
// until the call's time is up.
//
// net/http asks GetBody for the body before it sends a request again, which is
// where the limit says no. Requests without a body, into which some redirects
// turn a review, have no such place and are not limited. Nor is HTTP/1.1, where
// net/http tries again only on connections that were idle and turn out to be
// dead; there can be as many of these as there were calls at once.
type connectionLimit struct {
	next http.RoundTripper
}

var _ utilnet.RoundTripperWrapper = connectionLimit{}

// RoundTrip passes on.
func (l connectionLimit) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.GetBody == nil {
		return l.next.RoundTrip(req)
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
	return l.next.RoundTrip(limited)
}

// WrappedRoundTripper lets others look underneath.
func (l connectionLimit) WrappedRoundTripper() http.RoundTripper { return l.next }

// connectionCount counts the HTTP/2 connections that one request was sent on.
type connectionCount struct {
	mu   sync.Mutex
	last net.Conn
	n    int
}

// add counts conn unless the request was sent on it the last time, as it is
// when a server refuses a stream but keeps the connection.
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
