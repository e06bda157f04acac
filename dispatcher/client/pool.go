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

// idleConnections is how many idle connections are kept per backend. With
// client-go's 25, a server that makes more calls at once than that spends its
// time on TLS handshakes.
const idleConnections = 512

// writeBuffer has room for what most reviews are, so that they leave with one
// system call and in one TLS record, of which this is the largest.
const writeBuffer = 16 << 10

// pool is the connection pool of one endpoint: the round tripper at the bottom
// of what client-go builds.
type pool struct {
	// maxHeader bounds the header of a response, in bytes.
	maxHeader int64
	bottom    http.RoundTripper
	// dialer knows the open connections.
	dialer *connrotation.Dialer
}

// attach arranges that client-go builds a pool for cfg alone and that p learns
// of it.
//
// client-go shares pools between equal configurations for the whole process,
// which would make closing one endpoint's connections, or keeping more of them,
// felt by strangers. A configuration with its own proxy function is never
// shared; the function set here is the one that would be used anyway, so
// nothing else changes. Building an http.Transport here instead would lose
// client-go's reloading of certificate and CA files.
//
// A transport that the credentials bring along belongs to others and stays as
// it is; only its errors are looked at.
func (p *pool) attach(cfg *rest.Config) {
	if cfg.Transport != nil {
		cfg.WrapTransport = transport.Wrappers(func(rt http.RoundTripper) http.RoundTripper { return answers{rt} }, cfg.WrapTransport)
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
		return conn, here(err)
	})
	cfg.Dial = p.dialer.DialContext
	cfg.WrapTransport = transport.Wrappers(p.adopt, cfg.WrapTransport)
}

// adopt sees the new pool before anyone can use it, and sets its limits.
func (p *pool) adopt(rt http.RoundTripper) http.RoundTripper {
	p.bottom = rt
	if t := plainTransport(rt); t != nil {
		t.MaxIdleConnsPerHost = idleConnections
		t.WriteBufferSize = writeBuffer
		t.MaxResponseHeaderBytes = p.maxHeader
		rt = onePiece{rt}
	}
	return answers{rt}
}

// closeIdle closes the connections that nobody uses.
func (p *pool) closeIdle() {
	utilnet.CloseIdleConnectionsFor(p.bottom)
}

// closeAll closes every connection, whether it is used or only being made.
func (p *pool) closeAll() {
	if p.dialer != nil {
		p.dialer.CloseAll()
	}
}

// plainTransport finds the net/http transport inside rt, or returns nil.
func plainTransport(rt http.RoundTripper) *http.Transport {
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
