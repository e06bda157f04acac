package client

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"golang.org/x/net/idna"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/hostname"
)

// dialGuard applies a dial policy to the connections of one endpoint.
type dialGuard struct {
	policy *DialPolicy
	// host is the configured host of the webhook.
	host string
}

// serviceKey is the context key that marks requests to a webhook's service, and
// the connections that are opened for them.
type serviceKey struct{}

// isServiceRequest reports whether a request, or a connection for it, goes to a
// service.
func isServiceRequest(ctx context.Context) bool { return ctx.Value(serviceKey{}) != nil }

// install makes cfg check every connection.
func (g dialGuard) install(cfg *rest.Config) error {
	if cfg.Transport != nil {
		return errors.New("the dial policy cannot check the connections of a custom transport")
	}
	if cfg.Proxy == nil {
		cfg.Proxy = serviceProxy
	}
	cfg.Proxy = g.proxy(cfg.Proxy)
	if cfg.Dial != nil {
		cfg.Dial = g.dial(cfg.Dial)
		return nil
	}
	dialer := newDialer()
	dialer.ControlContext = g.control
	cfg.Dial = unwrapDenied(dialer.DialContext)
	return nil
}

// serviceProxy returns the environment's proxy for services, and none for URLs.
func serviceProxy(req *http.Request) (*url.URL, error) {
	if isServiceRequest(req.Context()) {
		return http.ProxyFromEnvironment(req)
	}
	return nil, nil
}

// newDialer returns a dialer with client-go's settings (S-288).
func newDialer() *net.Dialer {
	return &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
}

// control checks the address of a connection before the first packet is sent.
func (g dialGuard) control(ctx context.Context, _, address string, _ syscall.RawConn) error {
	if isServiceRequest(ctx) {
		return nil
	}
	return g.checkRemote(address)
}

// unwrapDenied removes from a policy's error the address that package net adds
// to it.
func unwrapDenied(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		var denied *deniedError
		if errors.As(err, &denied) {
			return nil, denied
		}
		return conn, err
	}
}

// dialFunc opens connections, as net.Dialer.DialContext does.
type dialFunc = func(ctx context.Context, network, addr string) (net.Conn, error)

// dial checks the connections of an embedder's dialer. The dialer, which might
// open a tunnel, is not called for a host that is a denied address.
func (g dialGuard) dial(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		if isServiceRequest(ctx) {
			return dial(ctx, network, addr)
		}
		if host, _, err := net.SplitHostPort(addr); err == nil {
			if err := g.checkLiteral(host); err != nil {
				return nil, err
			}
		}
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return conn, err
		}
		remote := ""
		if address := conn.RemoteAddr(); address != nil {
			remote = address.String()
		}
		if err := g.checkRemote(remote); err != nil {
			_ = conn.Close()
			return nil, err
		}
		return conn, nil
	}
}

// checkRemote checks the remote address and port of a connection.
func (g dialGuard) checkRemote(remote string) error {
	address, err := netip.ParseAddrPort(remote)
	if err != nil {
		return &deniedError{host: g.host, address: "an unknown address"}
	}
	return g.policy.check(g.host, address.Addr())
}

// checkLiteral checks a host that is an address and not a name. Dialers and
// proxies that resolve as C does accept more spellings of addresses than
// package netip.
func (g dialGuard) checkLiteral(host string) error {
	address, err := netip.ParseAddr(host)
	switch {
	case err == nil:
		return g.policy.check(g.host, address)
	case hostname.IsNumber(host):
		return &deniedError{host: g.host, address: "an address in a nonstandard spelling"}
	}
	return nil // a name
}

// proxyFunc chooses a proxy, as http.Transport.Proxy does.
type proxyFunc = func(*http.Request) (*url.URL, error)

// proxy checks the hosts that a proxy will connect to.
func (g dialGuard) proxy(choose proxyFunc) proxyFunc {
	return func(req *http.Request) (*url.URL, error) {
		chosen, err := choose(req)
		if err != nil || chosen == nil || isServiceRequest(req.Context()) {
			return chosen, err
		}
		if err := g.checkLiteral(toASCII(req.URL.Hostname())); err != nil {
			return nil, markLocal(err)
		}
		return chosen, nil
	}
}

// toASCII returns host in the form in which net/http sends it to a proxy:
// digits and dots beyond ASCII become those of ASCII.
func toASCII(host string) string {
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		return ascii
	}
	return host
}
