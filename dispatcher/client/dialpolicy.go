package client

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
)

// DialPolicy denies addresses to webhooks with a URL. Without one, a user who
// may write webhook configurations can make the embedder's process connect to
// any address that it can reach, and can learn from the error what is there.
// The zero value permits every address, as kube-apiserver does.
//
// The policy checks the address of each connection at the time when the
// connection is made: neither a DNS name nor a name that resolves differently
// the second time circumvents it. It applies to every connection that is opened
// for such a webhook, over HTTP/1.1 or HTTP/2, to the target of a redirect, or
// to a proxy. Webhooks with a service are not subject to it, since the
// ServiceResolver chooses their address; with Config.Exact, other hosts to
// which a service redirects are.
//
// An IPv6 address that embeds an IPv4 address is denied if the IPv4 address is:
// this covers IPv4-mapped addresses, NAT64, 6to4, Teredo and ISATAP. Multicast
// and reserved addresses are denied if any class is.
//
// A denied call fails, and failurePolicy applies. The error contains the
// configured host of the webhook and the class of the address, and does not
// depend on whether a server listens there: no packet has been sent. If a name
// has several addresses, the client skips those that are denied.
//
// In these cases the policy cannot see the address itself:
//
//   - The environment's proxy is not used for webhooks with a URL. A proxy from
//     Config.Proxy or AuthInfo is: its own address must be permitted and, if
//     the webhook's URL has an address instead of a name, that address, too.
//     The proxy resolves names without the policy. A host that is an address in
//     a nonstandard spelling, such as 127.1 or 0x7f000001, is denied.
//   - A dialer from Config.Dial or AuthInfo is called as usual. The client
//     closes the connection, before it sends anything, if its RemoteAddr is not
//     permitted or is not an IP address. The dialer's errors do show whether a
//     server listens there. A dialer that opens a tunnel must check the far end
//     of the tunnel itself. The dialer is not called for hosts that are denied
//     addresses, or addresses in a nonstandard spelling.
//   - A Transport from AuthInfo cannot be checked: it is an error for webhooks
//     with a URL and, if Config.Exact is set, for webhooks with a service.
//
// A policy knows only the address ranges. It does not know the host's own
// public addresses, nor how firewalls or routers translate others.
type DialPolicy struct {
	// DenyLoopback denies 127.0.0.0/8 and ::1, and 0.0.0.0/8 and ::, which
	// connect to the same host.
	DenyLoopback bool
	// DenyLinkLocal denies 169.254.0.0/16 and fe80::/10. The metadata services
	// of many clouds have addresses there.
	DenyLinkLocal bool
	// DenyPrivate denies the addresses of private networks: 10.0.0.0/8,
	// 172.16.0.0/12, 192.168.0.0/16, fc00::/7 and fec0::/10, the shared
	// addresses of providers (100.64.0.0/10, 192.0.0.0/24), and those for
	// benchmarks (198.18.0.0/15).
	DenyPrivate bool
	// Allow are exceptions from the denied classes, such as the range of the
	// webhooks' addresses. They are compared with the address of the connection
	// itself, which is IPv4 even if it is written as IPv6 (::ffff:10.0.0.1).
	// Allow without a denied class is an error of New.
	Allow []netip.Prefix
}

// denied returns the classes that the policy denies; none for the zero value.
func (p *DialPolicy) denied() addressClass {
	var classes addressClass
	if p.DenyLoopback {
		classes |= loopback
	}
	if p.DenyLinkLocal {
		classes |= linkLocal
	}
	if p.DenyPrivate {
		classes |= private
	}
	if classes != 0 {
		classes |= reserved
	}
	return classes
}

// enabled reports whether the policy denies any class.
func (p *DialPolicy) enabled() bool { return p.denied() != 0 }

// validate returns an error for a policy whose Allow has no effect.
func (p *DialPolicy) validate() error {
	if len(p.Allow) > 0 && !p.enabled() {
		return errors.New("the dial policy allows exceptions, but denies no addresses")
	}
	for _, prefix := range p.Allow {
		if !prefix.IsValid() || prefix.Addr().Is4In6() {
			return fmt.Errorf("the dial policy cannot allow %v: it is not a range of IPv4 or IPv6 addresses",
				prefix)
		}
	}
	return nil
}

// check returns an error if the policy denies addr to a webhook at host.
func (p *DialPolicy) check(host string, addr netip.Addr) error {
	denied := classOf(addr) & p.denied()
	if denied == 0 || p.allows(addr) {
		return nil
	}
	return &deniedError{host: host, address: denied.String()}
}

func (p *DialPolicy) allows(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	return slices.ContainsFunc(p.Allow, func(prefix netip.Prefix) bool {
		return prefix.Contains(addr)
	})
}

// deniedError is returned instead of a connection. It does not contain the
// address: the author of the configuration could resolve internal names with
// it.
type deniedError struct {
	// host is the configured host of the webhook.
	host string
	// address describes the address by its class.
	address string
}

// Error says "leads to", because a redirect or a proxy may be involved.
func (e *deniedError) Error() string {
	return fmt.Sprintf("%.255q leads to %s, which the dial policy denies", e.host, e.address)
}
