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

// policed has a policy watch over the connections of one endpoint.
type policed struct {
	policy *DialPolicy
	// host is the webhook's, as configured.
	host string
}

// ofService is where a request says in its context that it goes to a webhook's service,
// and so do the connections that are opened for it.
type ofService struct{}

// isOfService reports whether a request, or a connection for it, goes to a service.
func isOfService(ctx context.Context) bool { return ctx.Value(ofService{}) != nil }

// attach puts the policy on all ways on which cfg leads to connections.
func (p policed) attach(cfg *rest.Config) error {
	if cfg.Transport != nil {
		return errors.New("the dial policy cannot watch over a transport that the credentials bring along")
	}
	if cfg.Proxy == nil {
		cfg.Proxy = proxyOfServices
	}
	cfg.Proxy = p.proxy(cfg.Proxy)
	if cfg.Dial != nil {
		cfg.Dial = p.dial(cfg.Dial)
		return nil
	}
	dialer := newDialer()
	dialer.ControlContext = p.control
	cfg.Dial = plain(dialer.DialContext)
	return nil
}

// proxyOfServices leaves the environment's proxy to services.
func proxyOfServices(req *http.Request) (*url.URL, error) {
	if isOfService(req.Context()) {
		return http.ProxyFromEnvironment(req)
	}
	return nil, nil
}

// newDialer returns what client-go dials with (S-288).
func newDialer() *net.Dialer {
	return &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
}

// control sees the address of a connection before the first packet is sent.
func (p policed) control(ctx context.Context, _, address string, _ syscall.RawConn) error {
	if isOfService(ctx) {
		return nil
	}
	remote, err := netip.ParseAddrPort(address)
	if err != nil {
		return p.unknown()
	}
	return p.policy.check(p.host, remote.Addr())
}

// plain returns a policy's error without the address that package net puts before it.
func plain(dial dialFunc) dialFunc {
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

// dial looks at the connections of somebody else's dialer. It is not asked for an
// address that is denied as it is written: it might open a tunnel.
func (p policed) dial(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		if isOfService(ctx) {
			return dial(ctx, network, addr)
		}
		if host, _, err := net.SplitHostPort(addr); err == nil {
			if err := p.checkLiteral(host); err != nil {
				return nil, err
			}
		}
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return conn, err
		}
		if err := p.checkRemote(conn); err != nil {
			_ = conn.Close()
			return nil, err
		}
		return conn, nil
	}
}

// checkRemote looks at the other end of a connection.
func (p policed) checkRemote(conn net.Conn) error {
	remote := conn.RemoteAddr()
	if remote == nil {
		return p.unknown()
	}
	address, err := netip.ParseAddrPort(remote.String())
	if err != nil {
		return p.unknown()
	}
	return p.policy.check(p.host, address.Addr())
}

// checkLiteral looks at a host that is an address as it is written. Dialers and proxies
// that resolve as C does know more ways to write one than package netip.
func (p policed) checkLiteral(host string) error {
	address, err := netip.ParseAddr(host)
	switch {
	case err == nil:
		return p.policy.check(p.host, address)
	case hostname.IsNumber(host):
		return &deniedError{host: p.host, what: "an address that is not written as one"}
	}
	return nil // a name
}

// proxy looks at hosts that somebody else is going to connect to.
func (p policed) proxy(choose func(*http.Request) (*url.URL, error)) func(*http.Request) (*url.URL, error) {
	return func(req *http.Request) (*url.URL, error) {
		chosen, err := choose(req)
		if err != nil || chosen == nil || isOfService(req.Context()) {
			return chosen, err
		}
		if err := p.checkLiteral(inASCII(req.URL.Hostname())); err != nil {
			return nil, here(err)
		}
		return chosen, nil
	}
}

// inASCII is a host as net/http names it to a proxy: other digits and dots than those of
// ASCII are no others there.
func inASCII(host string) string {
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		return ascii
	}
	return host
}

func (p policed) unknown() error {
	return &deniedError{host: p.host, what: "an address that its connection does not tell"}
}
