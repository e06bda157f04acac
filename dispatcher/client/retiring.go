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

// retiring closes the connections of an endpoint that is no longer wanted, as
// soon as no call is under way.
//
// Closing the idle ones once would not do. A call that is under way gives its
// connection back later; a call that has the endpoint in its hand may still open
// one; and net/http finishes a handshake that was begun for a call which got
// another connection meanwhile. Each of these would stay open until a timeout of
// minutes. Hence the end of every call and of every dial after the retirement
// looks whether something is left.
type retiring struct {
	next http.RoundTripper
	pool pool

	retired atomic.Bool
	// calls is how many calls are under way.
	calls atomic.Int64
	// closing is held while all connections are closed, so that a call which
	// begins then opens its own afterwards.
	closing sync.Mutex
}

var _ utilnet.RoundTripperWrapper = (*retiring)(nil)

// attach arranges that client-go builds a pool for cfg alone, and that r sees
// what is dialed for it.
func (r *retiring) attach(cfg *rest.Config) {
	r.pool.attach(cfg)
	if r.pool.dialer != nil {
		cfg.Dial = r.dial
	}
}

// retire closes what is idle, now and from now on. It may be called more than
// once.
func (r *retiring) retire() {
	r.retired.Store(true)
	r.letGo()
}

// RoundTrip passes on. The call ends with an error or when the response's body
// is closed.
func (r *retiring) RoundTrip(req *http.Request) (*http.Response, error) {
	r.calls.Add(1)
	if r.retired.Load() {
		r.awaitClosing()
	}
	var body *endedBody
	defer func() {
		if body == nil { // after a panic, too
			r.ended()
		}
	}()
	resp, err := r.next.RoundTrip(req)
	if err != nil {
		return resp, err
	}
	body = &endedBody{ReadCloser: resp.Body, call: r}
	resp.Body = body
	return resp, nil
}

// WrappedRoundTripper lets others look underneath.
func (r *retiring) WrappedRoundTripper() http.RoundTripper { return r.next }

// awaitClosing waits until connections are not being closed.
func (r *retiring) awaitClosing() {
	r.closing.Lock()
	defer r.closing.Unlock()
}

func (r *retiring) ended() {
	r.calls.Add(-1)
	if r.retired.Load() {
		r.letGo()
	}
}

// dial opens a connection. If nobody is left to use it, it is closed already
// when it is returned.
func (r *retiring) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := r.pool.dialer.DialContext(ctx, network, addr)
	if r.retired.Load() {
		r.letGo()
	}
	return conn, err
}

// letGo closes what is idle and, if no call is under way, the rest as well.
func (r *retiring) letGo() {
	r.pool.closeIdle()
	r.closing.Lock()
	defer r.closing.Unlock()
	if r.calls.Load() == 0 {
		r.pool.closeAll()
	}
}

// endedBody is a response's body that tells when it has been closed, at which
// time net/http has given the connection back.
type endedBody struct {
	io.ReadCloser
	call   *retiring
	closed atomic.Bool
}

// Close closes, then tells, but only once.
func (b *endedBody) Close() error {
	defer func() {
		if !b.closed.Swap(true) {
			b.call.ended()
		}
	}()
	return b.ReadCloser.Close()
}
