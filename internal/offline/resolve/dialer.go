package resolve

import (
	"context"
	"errors"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"

	"example.com/gatehouse/internal/hostname"
)

// Dialer connects to webhooks. Unless Anywhere is set, it connects only to
// loopback addresses, to localhost and to the targets of Routes, so that a trial
// of a cluster's configurations does not call the cluster's webhooks by mistake.
// The fields must not change while a method runs. A Dialer is safe for
// concurrent use.
type Dialer struct {
	// Routes replace addresses. The new address may be on another machine.
	Routes Table
	// Anywhere allows connections to other machines and the use of proxies.
	Anywhere bool
	// Forward connects to Services of a cluster. The default is nil: their addresses are
	// treated as others are.
	Forward func(context.Context, Service) (net.Conn, error)

	mu sync.Mutex
	// taken are the addresses in Routes that were dialed, and rejected the
	// addresses that were not because of the rule. Both are guarded by mu.
	taken, rejected map[string]bool
}

// NotReachedError is the error if a Dialer may not connect to an address. The
// Dialer has not looked up the name in it.
type NotReachedError struct {
	// Address is HOST:PORT.
	Address string
}

// Error names the address and the reason.
func (e *NotReachedError) Error() string {
	return e.Address + " is not on this machine, and connections to other machines are not allowed"
}

// Check returns a *NotReachedError if the Dialer may not connect to an address
// of the form HOST:PORT, and otherwise nil. It looks up no name.
func (d *Dialer) Check(address string) error {
	address = hostname.Lower(address)
	_, routed := d.Routes.To(address)
	_, forwarded := d.forwarded(address)
	allowed := routed || forwarded || d.Anywhere || isLoopback(address)
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case routed:
		note(&d.taken, address)
	case !allowed:
		note(&d.rejected, address)
		return &NotReachedError{Address: address}
	}
	return nil
}

func note(set *map[string]bool, address string) {
	if *set == nil {
		*set = map[string]bool{}
	}
	(*set)[address] = true
}

// forwarded returns the Service of an address, and whether Forward connects to it.
func (d *Dialer) forwarded(address string) (s Service, ok bool) {
	if _, routed := d.Routes.To(address); routed || d.Forward == nil {
		return s, false
	}
	return ServiceOf(address)
}

// Dial connects to where an address is routed, to a Service by Forward, and otherwise
// to the address. The error is a *NotReachedError if the Dialer may not.
func (d *Dialer) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	if err := d.Check(address); err != nil {
		return nil, err
	}
	if s, ok := d.forwarded(address); ok {
		return d.Forward(ctx, s)
	}
	return d.Routes.Dial(ctx, network, address)
}

// Proxy returns the proxy of the environment for a request, as
// http.Transport.Proxy does. There is none without Anywhere, and none for a
// routed address or that of Forward, because a proxy does not know where it leads.
func (d *Dialer) Proxy(req *http.Request) (*url.URL, error) {
	address := addressOf(req.URL)
	_, routed := d.Routes.To(address)
	_, forwarded := d.forwarded(address)
	if routed || forwarded || !d.Anywhere {
		return nil, nil
	}
	return http.ProxyFromEnvironment(req)
}

// NotReached reports whether an error is that of an address to which the Dialer
// may not connect. kube-apiserver's code for conversion webhooks, and for the
// statuses of requests, keeps only the text of errors: if there is no
// *NotReachedError, the text of one that Check has returned counts.
func (d *Dialer) NotReached(err error) bool {
	if err == nil {
		return false
	}
	if notReached := (*NotReachedError)(nil); errors.As(err, &notReached) {
		return true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for address := range d.rejected {
		if strings.Contains(err.Error(), (&NotReachedError{Address: address}).Error()) {
			return true
		}
	}
	return false
}

// Unused returns the addresses in Routes that are none of the known ones, and
// that were not dialled either, sorted.
func (d *Dialer) Unused(known []string) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	unused := maps.Clone(d.Routes)
	maps.DeleteFunc(unused, func(from, _ string) bool {
		return d.taken[from] || slices.ContainsFunc(known,
			func(address string) bool { return hostname.Lower(address) == from })
	})
	return slices.Sorted(maps.Keys(unused))
}

// isLoopback reports whether a HOST:PORT is a loopback address or localhost.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback() || strings.EqualFold(host, "localhost")
}
