package client

import (
	"context"
	"net"
	"net/http"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"
	"k8s.io/client-go/util/connrotation"
)

// maxIdleConnections is how many idle connections are kept per backend. With
// client-go's 25, a webhook with more concurrent calls spends its time on TLS
// handshakes.
const maxIdleConnections = 512

// writeBufferSize is enough for most reviews, so that each takes one system call and
// one TLS record, of which this is the maximum size.
const writeBufferSize = 16 << 10

// pool is the connection pool of one endpoint: the innermost round tripper of the chain
// that client-go builds.
type pool struct {
	// maxHeader bounds the header of a response, in bytes.
	maxHeader int64
	transport http.RoundTripper
	// dialer tracks the open connections.
	dialer *connrotation.Dialer
}

// attach makes client-go build a separate pool for cfg and hand it to p.
//
// client-go shares pools between equal configurations for the whole process. Closing
// one endpoint's connections, or keeping more of them, would affect other clients. It
// never shares the pool of a configuration with a proxy function; the function that
// attach sets is the one that client-go would use anyway, so nothing else changes. An
// http.Transport built here would lose client-go's reloading of certificate and CA
// files.
//
// A Transport in the credentials belongs to the embedder and is not changed; only its
// errors are marked.
func (p *pool) attach(cfg *rest.Config) {
	if cfg.Transport != nil {
		cfg.WrapTransport = transport.Wrappers(markResponseErrors, cfg.WrapTransport)
		return
	}
	if cfg.Proxy == nil {
		cfg.Proxy = http.ProxyFromEnvironment
	}
	if cfg.Dial == nil {
		cfg.Dial = newDialer().DialContext
	}
	dial := cfg.Dial
	p.dialer = connrotation.NewDialer(func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		return conn, markLocal(err)
	})
	cfg.Dial = p.dialer.DialContext
	cfg.WrapTransport = transport.Wrappers(p.configure, cfg.WrapTransport)
}

// configure sets the limits of the new pool, before its first use.
func (p *pool) configure(rt http.RoundTripper) http.RoundTripper {
	p.transport = rt
	if t := httpTransport(rt); t != nil {
		t.MaxIdleConnsPerHost = maxIdleConnections
		t.WriteBufferSize = writeBufferSize
		t.MaxResponseHeaderBytes = p.maxHeader
		rt = singleWriteTransport{rt}
	}
	return markResponseErrors(rt)
}

// closeIdle closes the idle connections.
func (p *pool) closeIdle() {
	utilnet.CloseIdleConnectionsFor(p.transport)
}

// closeAll closes every connection, including those in use or being opened.
func (p *pool) closeAll() {
	if p.dialer != nil {
		p.dialer.CloseAll()
	}
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
