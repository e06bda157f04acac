package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// routes says where connections go instead of where they were meant for: the
// values of --resolve. Keys and values are addresses as net.Dial takes them,
// the keys in lower case.
type routes map[string]string

// parseRoutes reads the values of --resolve.
func parseRoutes(values []string) (routes, error) {
	r := make(routes, len(values))
	for _, value := range values {
		from, to, err := parseRoute(value)
		if err != nil {
			return nil, fmt.Errorf("--resolve %q: %w", value, err)
		}
		if other, taken := r[from]; taken && other != to {
			return nil, fmt.Errorf("--resolve %q: %s already goes to %s", value, from, other)
		}
		r[from] = to
	}
	return r, nil
}

// parseRoute reads HOST:PORT:ADDR or HOST:PORT:ADDR:PORT.
func parseRoute(value string) (from, to string, err error) {
	host, rest, err := cutHost(value)
	if err != nil {
		return "", "", err
	}
	port, rest, _ := strings.Cut(rest, ":")
	if err := checkPort(port); err != nil {
		return "", "", err
	}
	address, last, err := cutHost(rest)
	if err != nil {
		return "", "", err
	}
	if last == "" && !strings.HasSuffix(rest, ":") {
		last = port
	}
	if err := checkPort(last); err != nil {
		return "", "", err
	}
	return net.JoinHostPort(strings.ToLower(host), port), net.JoinHostPort(address, last), nil
}

const routeForm = "want HOST:PORT:ADDR or HOST:PORT:ADDR:PORT, with IPv6 addresses in brackets"

// cutHost takes a name or an address off the front. Brackets are for IPv6 alone,
// which could not be told from what follows otherwise.
func cutHost(value string) (host, rest string, err error) {
	if inner, ok := strings.CutPrefix(value, "["); ok {
		host, rest, ok = strings.Cut(inner, "]")
		ip, err := netip.ParseAddr(host)
		if !ok || err != nil || !ip.Is6() || (rest != "" && rest[0] != ':') {
			return "", "", errors.New(routeForm)
		}
		return host, strings.TrimPrefix(rest, ":"), nil
	}
	host, rest, _ = strings.Cut(value, ":")
	if host == "" {
		return "", "", errors.New(routeForm)
	}
	return host, rest, nil
}

func checkPort(port string) error {
	if port == "" {
		return errors.New(routeForm)
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return fmt.Errorf("%q is not a port; %s", port, routeForm)
	}
	return nil
}

// dial opens a connection to where addr is routed, and otherwise to addr. The
// limits are those of client-go's own dialer.
func (r routes) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	if to, ok := r[strings.ToLower(addr)]; ok {
		addr = to
	}
	d := net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	return d.DialContext(ctx, network, addr)
}

// proxy leaves routed addresses to dial, as the environment's proxy would not
// know where they are routed, and the rest to the environment.
func (r routes) proxy(req *http.Request) (*url.URL, error) {
	if r.direct(req.URL) {
		return nil, nil
	}
	return http.ProxyFromEnvironment(req)
}

// direct reports whether connections for u are routed.
func (r routes) direct(u *url.URL) bool {
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "http":
		port = "80"
	default:
		port = "443"
	}
	_, routed := r[net.JoinHostPort(strings.ToLower(u.Hostname()), port)]
	return routed
}
