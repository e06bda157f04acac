package resolve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"example.com/gatehouse/internal/hostname"
)

// Table maps addresses to the addresses that connections go to instead. Keys and
// values are addresses as net.Dial takes them, the keys in lower case. The
// zero value routes nothing.
type Table map[string]string

// Parse reads routes of the form HOST:PORT:ADDR or HOST:PORT:ADDR:PORT, where
// ADDR may be a name. Errors quote the route that is wrong, or that contradicts
// an earlier one.
func Parse(values []string) (Table, error) {
	t := make(Table, len(values))
	for _, value := range values {
		from, to, err := parse(value)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", value, err)
		}
		if other, taken := t[from]; taken && other != to {
			return nil, fmt.Errorf("%q: %s already goes to %s", value, from, other)
		}
		t[from] = to
	}
	return t, nil
}

// parse reads one route.
func parse(value string) (from, to string, err error) {
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
	return net.JoinHostPort(hostname.Lower(host), port), net.JoinHostPort(address, last), nil
}

const routeForm = "want HOST:PORT:ADDR or HOST:PORT:ADDR:PORT, with IPv6 addresses in brackets"

// cutHost cuts a name or an address off the front. Only IPv6 addresses have
// brackets, which separate them from the rest.
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

// To returns where connections to an address of the form HOST:PORT go, and
// whether that is elsewhere.
func (t Table) To(address string) (to string, routed bool) {
	if to, routed = t[hostname.Lower(address)]; routed {
		return to, true
	}
	return address, false
}

// Dial opens a connection to where address is routed, and otherwise to address.
// The limits are those of client-go's own dialer.
func (t Table) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	to, _ := t.To(address)
	d := net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	return d.DialContext(ctx, network, to)
}

// addressOf returns the address of a URL, as HOST:PORT.
func addressOf(u *url.URL) string {
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "http":
		port = "80"
	default:
		port = "443"
	}
	return net.JoinHostPort(u.Hostname(), port)
}
