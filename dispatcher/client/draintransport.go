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
	"k8s.io/client-go/transport"
	"k8s.io/client-go/util/connrotation"
)

// maxIdleConnections is how many idle connections are kept per backend. With
// client-go's 25, a webhook with more concurrent calls spends its time on TLS
// handshakes: with 512, 1,000 clients got 0.4 times the throughput.
const maxIdleConnections = 1024

// writeBufferSize is enough for most reviews, so that each takes one system
// call and one TLS record, of which this is the maximum size.
const writeBufferSize = 16 << 10

// drainTransport owns the connection pool of one endpoint, and closes its
// connections after the endpoint has been dropped, as soon as no call is in
// flight.
//
// Closing the idle connections once is not enough. A call in flight returns its
// connection to the pool later; a caller that already has the endpoint may
// still open one; and net/http finishes a handshake that it began for a call
// which then got another connection. Each of these would stay open until a
// timeout of minutes. Hence, once the endpoint has been dropped, the end of
// every call and of every dial closes what is unused.
type drainTransport struct {
	wrapper
	// maxHeader bounds the header of a response, in bytes.
	maxHeader int64
	// pool is the innermost round tripper of the chain that client-go builds,
	// and dialer tracks its connections. Both are nil if the credentials have a
	// Transport.
	pool   http.RoundTripper
	dialer *connrotation.Dialer

	draining atomic.Bool
	// active is the number of calls in flight.
	active atomic.Int64
	// closeMu is held while all connections are closed, so that a call which
	// begins meanwhile opens its connection afterwards.
	closeMu sync.Mutex
}

// attach makes client-go build a separate pool for cfg, which dials with t.
//
// client-go shares pools between equal configurations for the whole process.
// Closing one endpoint's connections, or keeping more of them, would affect
// other clients. It never shares the pool of a configuration with a proxy
// function; the function that attach sets is the one that client-go would use
// anyway, so nothing else changes. An http.Transport built here would lose
// client-go's reloading of certificate and CA files.
//
// A Transport in the credentials belongs to the embedder and is not changed;
// only its errors are marked.
func (t *drainTransport) attach(cfg *rest.Config) {
	cfg.WrapTransport = transport.Wrappers(t.configure, cfg.WrapTransport)
	if cfg.Transport != nil {
		return
	}
	if cfg.Proxy == nil {
		cfg.Proxy = http.ProxyFromEnvironment
	}
	if cfg.Dial == nil {
		cfg.Dial = newDialer().DialContext
	}
	dial := cfg.Dial
	marked := func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		return conn, markLocal(err)
	}
	t.dialer = connrotation.NewDialer(marked)
	cfg.Dial = t.dial
}

// configure sets the limits of a new pool, before its first use, and marks the
// errors of rt.
func (t *drainTransport) configure(rt http.RoundTripper) http.RoundTripper {
	if t.dialer != nil {
		t.pool = rt
		if pool := httpTransport(rt); pool != nil {
			pool.MaxIdleConnsPerHost = maxIdleConnections
			pool.WriteBufferSize = writeBufferSize
			pool.MaxResponseHeaderBytes = t.maxHeader
			rt = singleWriteTransport{wrapper{rt}}
		}
	}
	return responseErrorTransport{wrapper: wrapper{rt}, maxHeader: t.maxHeader}
}

// httpTransport returns the net/http transport inside rt, or nil.
func httpTransport(rt http.RoundTripper) *http.Transport {
	for {
		switch t := rt.(type) {
		case *http.Transport:
			return t
		case utilnet.RoundTripperWrapper:
			rt = t.WrappedRoundTripper()
		default:
			return nil
		}
	}
}

// closeWhenIdle closes idle connections, now and from now on. It may be called
// more than once.
func (t *drainTransport) closeWhenIdle() {
	t.draining.Store(true)
	t.closeUnused()
}

// RoundTrip counts the call as in flight until it fails or the response's body
// is closed.
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

// dial opens a connection. If the endpoint has been dropped and no call is in
// flight, the connection is already closed when dial returns it.
func (t *drainTransport) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := t.dialer.DialContext(ctx, network, addr)
	if t.draining.Load() {
		t.closeUnused()
	}
	return conn, err
}

// closeUnused closes the idle connections and, if no call is in flight, all
// others, including those that are being opened.
func (t *drainTransport) closeUnused() {
	utilnet.CloseIdleConnectionsFor(t.pool)
	t.closeMu.Lock()
	defer t.closeMu.Unlock()
	if t.active.Load() == 0 && t.dialer != nil {
		t.dialer.CloseAll()
	}
}

// trackedBody is a response's body that reports its first Close, at which time
// net/http has the connection back.
type trackedBody struct {
	io.ReadCloser
	transport *drainTransport
	closed    atomic.Bool
}

// Close closes the body.
func (b *trackedBody) Close() error {
	defer func() {
		if !b.closed.Swap(true) {
			b.transport.callEnded()
		}
	}()
	return b.ReadCloser.Close()
}
