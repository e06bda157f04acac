package client

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
)

// drainTransport closes the connections of an endpoint that has been dropped, as soon
// as no call is in flight.
//
// Closing the idle connections once is not enough. A call in flight returns its
// connection to the pool later; a caller that already has the endpoint may still open
// one; and net/http finishes a handshake that it began for a call which then got
// another connection. Each of these would stay open until a timeout of minutes. Hence,
// once the endpoint has been dropped, the end of every call and of every dial closes
// what is unused.
type drainTransport struct {
	next http.RoundTripper
	pool pool

	draining atomic.Bool
	// active is the number of calls in flight.
	active atomic.Int64
	// closeMu is held while all connections are closed, so that a call which begins
	// meanwhile opens its connection afterwards.
	closeMu sync.Mutex
}

var _ utilnet.RoundTripperWrapper = (*drainTransport)(nil)

// attach makes client-go build a separate pool for cfg, and dial with r.
func (r *drainTransport) attach(cfg *rest.Config) {
	r.pool.attach(cfg)
	if r.pool.dialer != nil {
		cfg.Dial = r.dial
	}
}

// closeWhenIdle closes idle connections, now and from now on. It may be called more
// than once.
func (r *drainTransport) closeWhenIdle() {
	r.draining.Store(true)
	r.closeUnused()
}

// RoundTrip counts the call as in flight until it fails or the response's body is
// closed.
func (r *drainTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	r.active.Add(1)
	if r.draining.Load() {
		r.waitForClose()
	}
	var body *trackedBody
	defer func() {
		if body == nil { // after a panic, too
			r.callEnded()
		}
	}()
	resp, err := r.next.RoundTrip(req)
	if err != nil {
		return resp, err
	}
	body = &trackedBody{ReadCloser: resp.Body, transport: r}
	resp.Body = body
	return resp, nil
}

// WrappedRoundTripper implements net.RoundTripperWrapper.
func (r *drainTransport) WrappedRoundTripper() http.RoundTripper { return r.next }

// waitForClose waits until no other goroutine is closing connections.
func (r *drainTransport) waitForClose() {
	r.closeMu.Lock()
	defer r.closeMu.Unlock()
}

// callEnded counts the end of a call.
func (r *drainTransport) callEnded() {
	r.active.Add(-1)
	if r.draining.Load() {
		r.closeUnused()
	}
}

// dial opens a connection. If the endpoint has been dropped and no call is in flight,
// the connection is already closed when dial returns it.
func (r *drainTransport) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := r.pool.dialer.DialContext(ctx, network, addr)
	if r.draining.Load() {
		r.closeUnused()
	}
	return conn, err
}

// closeUnused closes the idle connections and, if no call is in flight, all others.
func (r *drainTransport) closeUnused() {
	r.pool.closeIdle()
	r.closeMu.Lock()
	defer r.closeMu.Unlock()
	if r.active.Load() == 0 {
		r.pool.closeAll()
	}
}

// trackedBody is a response's body that reports its Close, at which time net/http has
// the connection back.
type trackedBody struct {
	io.ReadCloser
	transport *drainTransport
	closed    atomic.Bool
}

// Close closes the body, and reports the first Close.
func (b *trackedBody) Close() error {
	defer func() {
		if !b.closed.Swap(true) {
			b.transport.callEnded()
		}
	}()
	return b.ReadCloser.Close()
}
