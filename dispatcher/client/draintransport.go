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
func (t *drainTransport) attach(cfg *rest.Config) {
	t.pool.attach(cfg)
	if t.pool.dialer != nil {
		cfg.Dial = t.dial
	}
}

// closeWhenIdle closes idle connections, now and from now on. It may be called more
// than once.
func (t *drainTransport) closeWhenIdle() {
	t.draining.Store(true)
	t.closeUnused()
}

// RoundTrip counts the call as in flight until it fails or the response's body is
// closed.
func (t *drainTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	t.active.Add(1)
	if t.draining.Load() {
		t.waitForClose()
	}
	var body *trackedBody
	defer func() {
		if body == nil { // after a panic, too
			t.callEnded()
		}
	}()
	resp, err := t.next.RoundTrip(req)
	if err != nil {
		return resp, err
	}
	body = &trackedBody{ReadCloser: resp.Body, transport: t}
	resp.Body = body
	return resp, nil
}

// WrappedRoundTripper implements net.RoundTripperWrapper.
func (t *drainTransport) WrappedRoundTripper() http.RoundTripper { return t.next }

// waitForClose waits until no other goroutine is closing connections.
func (t *drainTransport) waitForClose() {
	t.closeMu.Lock()
	defer t.closeMu.Unlock()
}

// callEnded counts the end of a call.
func (t *drainTransport) callEnded() {
	t.active.Add(-1)
	if t.draining.Load() {
		t.closeUnused()
	}
}

// dial opens a connection. If the endpoint has been dropped and no call is in flight,
// the connection is already closed when dial returns it.
func (t *drainTransport) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := t.pool.dialer.DialContext(ctx, network, addr)
	if t.draining.Load() {
		t.closeUnused()
	}
	return conn, err
}

// closeUnused closes the idle connections and, if no call is in flight, all others.
func (t *drainTransport) closeUnused() {
	t.pool.closeIdle()
	t.closeMu.Lock()
	defer t.closeMu.Unlock()
	if t.active.Load() == 0 {
		t.pool.closeAll()
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
