package client

import (
	"net/http"
	"slices"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"

	"example.com/gatehouse/dispatcher"
)

// idleConnections is how many idle connections are kept per backend. With
// client-go's 25, a server that makes more calls at once than that spends its
// time on TLS handshakes.
const idleConnections = 512

// connect makes the way to t. No connection is opened yet.
func (c *Client) connect(t target, caBundle []byte) (*route, error) {
	cfg, err := c.configFor(t, caBundle)
	if err != nil {
		return nil, err
	}
	u, err := baseURL(cfg)
	if err != nil {
		return nil, err
	}
	var own pool
	own.attach(cfg)
	rt, err := rest.TransportFor(cfg)
	if err != nil {
		return nil, err
	}
	return &route{
		endpoint: &dispatcher.Endpoint{
			URL:  u,
			HTTP: &http.Client{Transport: sameOrigin{next: rt}, Timeout: cfg.Timeout},
		},
		closeIdle: own.closeIdle,
	}, nil
}

// configFor looks up the credentials for t and completes a copy of them.
func (c *Client) configFor(t target, caBundle []byte) (*rest.Config, error) {
	found, err := c.lookUp(t)
	if err != nil {
		return nil, err
	}
	cfg := rest.CopyConfig(found)
	cfg.Host, cfg.APIPath = t.base, t.path
	if c.dial != nil {
		cfg.Dial = c.dial
	}
	if !t.http2 {
		cfg.NextProtos = []string{"http/1.1"}
	}
	if t.service != (service{}) {
		c.completeForService(cfg, t.service)
	}
	cfg.CAData = joinCA(cfg.CAData, caBundle)
	return cfg, nil
}

// lookUp asks for the credentials by service or by host (S-279).
func (c *Client) lookUp(t target) (*rest.Config, error) {
	if s := t.service; s != (service{}) {
		return c.auth.ClientConfigForService(s.name, s.namespace, int(s.port))
	}
	return c.auth.ClientConfigFor(t.authKey)
}

// completeForService makes TLS expect the service's name, whatever the address
// it resolves to, unless the credentials name another (S-272).
func (c *Client) completeForService(cfg *rest.Config, s service) {
	if cfg.ServerName == "" {
		cfg.ServerName = s.serverName()
	}
	cfg.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return &resolving{next: next, services: c.services, service: s}
	})
}

// joinCA appends the webhook's CA bundle to the CA data of the credentials. If
// both are empty the system's roots apply (S-278). It never writes into the
// arguments, which belong to others.
func joinCA(data, bundle []byte) []byte {
	if len(data) == 0 {
		return bundle
	}
	return slices.Concat(data, []byte("\n"), bundle)
}

// pool is the connection pool of one endpoint: the round tripper at the bottom
// of what client-go builds.
type pool struct {
	bottom http.RoundTripper
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
// it is.
func (p *pool) attach(cfg *rest.Config) {
	if cfg.Transport != nil {
		return
	}
	if cfg.Proxy == nil {
		cfg.Proxy = http.ProxyFromEnvironment
	}
	cfg.WrapTransport = transport.Wrappers(p.adopt, cfg.WrapTransport)
}

// adopt sees the new pool before anyone can use it, and widens it.
func (p *pool) adopt(rt http.RoundTripper) http.RoundTripper {
	p.bottom = rt
	if t := plainTransport(rt); t != nil {
		t.MaxIdleConnsPerHost = idleConnections
	}
	return rt
}

// closeIdle closes the connections that nobody uses.
func (p *pool) closeIdle() {
	utilnet.CloseIdleConnectionsFor(p.bottom)
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
