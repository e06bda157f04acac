package client

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
)

// DialPolicy says which addresses webhooks with a URL may not be at. Whoever may write
// webhook configurations can otherwise have the host connect to whatever it can reach,
// and read in the error what is there. The zero value permits every address, as
// kube-apiserver does.
//
// What counts is the address that a connection is made to, when it is made: it does
// not help to give the webhook a name, nor to have the name lead elsewhere between two
// look-ups. The policy holds for every connection that is opened for such a webhook, be
// it with HTTP/1.1 or HTTP/2, to the target of a redirect, or to a proxy. Webhooks with
// a service are not subject to it, since a ServiceResolver says where these are; but
// another host is to which a redirect leads them with Config.Exact.
//
// An IPv6 address that stands for an IPv4 address is denied if that one is: as it is
// written of IPv4 addresses, and in NAT64, 6to4, Teredo and ISATAP. Multicast and reserved
// addresses, at which there is no webhook, are denied if anything is.
//
// What is denied is a failed call, of which failurePolicy decides. Its error names the
// host of the webhook as configured and the class of the address, and is otherwise the
// same for all of them, whether anybody is there or not: no packet has been sent.
// Addresses that are denied are passed over if the name has others.
//
// Where the policy cannot see the address itself:
//
//   - The environment's proxy is not used for webhooks with a URL. One that Config.Proxy
//     or the AuthInfo names is: its own address has to be permitted, and so has the
//     webhook's if the URL has an address in place of a name. What a name stands for is
//     then up to the proxy. An address that is not written as one is denied, such as
//     127.1 or 0x7f000001.
//   - A dialer of Config.Dial or of the AuthInfo is asked for connections as always. Each
//     is closed, before anything is sent, unless its RemoteAddr is permitted; so is one
//     whose RemoteAddr is no IP address. Until then it was open: errors of the dialer
//     tell whether somebody is there. A dialer that opens a tunnel has to look after the
//     tunnel's far end. For addresses that are denied as they are written, or are not
//     written as one, it is not asked.
//   - A transport that the AuthInfo brings along cannot be looked into: webhooks with a
//     URL cannot be called with it, nor those with a service if Config.Exact is set.
//
// A policy knows of addresses what their ranges tell. It does not know the host's own
// public addresses, nor what a firewall or a router makes of others.
type DialPolicy struct {
	// DenyLoopback denies 127.0.0.0/8 and ::1, and 0.0.0.0/8 and ::, which lead to
	// them.
	DenyLoopback bool
	// DenyLinkLocal denies 169.254.0.0/16 and fe80::/10. Many clouds have their
	// metadata service there.
	DenyLinkLocal bool
	// DenyPrivate denies the addresses of private networks: 10.0.0.0/8,
	// 172.16.0.0/12, 192.168.0.0/16, fc00::/7 and fec0::/10, those that providers
	// share and keep to themselves (100.64.0.0/10, 192.0.0.0/24), and those for
	// measuring networks (198.18.0.0/15).
	DenyPrivate bool
	// Allow are exceptions from all that is denied, such as the range that the
	// webhooks are in. They are compared with the address of the connection itself,
	// which is IPv4 even if it is written as IPv6 (::ffff:10.0.0.1). Without
	// something that is denied, New refuses them.
	Allow []netip.Prefix
}

// denied returns the classes that the policy denies; none for the zero value.
func (p *DialPolicy) denied() class {
	var c class
	if p.DenyLoopback {
		c |= loopback
	}
	if p.DenyLinkLocal {
		c |= linkLocal
	}
	if p.DenyPrivate {
		c |= private
	}
	if c != 0 {
		c |= special
	}
	return c
}

// isOn reports whether the policy denies anything.
func (p *DialPolicy) isOn() bool { return p.denied() != 0 }

// validate reports a policy that does not say what its author thinks.
func (p *DialPolicy) validate() error {
	if len(p.Allow) > 0 && !p.isOn() {
		return errors.New("the dial policy denies nothing that Allow could except")
	}
	for _, prefix := range p.Allow {
		if !prefix.IsValid() || prefix.Addr().Is4In6() {
			return fmt.Errorf("the dial policy cannot allow %v: it is no range of IPv4 or IPv6 addresses", prefix)
		}
	}
	return nil
}

// check returns an error if a webhook at host must not be called at addr.
func (p *DialPolicy) check(host string, addr netip.Addr) error {
	c := classOf(addr) & p.denied()
	if c == 0 || p.allows(addr) {
		return nil
	}
	return &deniedError{host: host, what: c.String()}
}

func (p *DialPolicy) allows(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	return slices.ContainsFunc(p.Allow, func(prefix netip.Prefix) bool { return prefix.Contains(addr) })
}

// deniedError says that a policy does not permit to connect. It has no address in it:
// whoever wrote the configuration would learn what a name stands for.
type deniedError struct {
	// host is the webhook's, as configured.
	host string
	// what stands for the address.
	what string
}

// Error says that the host leads there, because a redirect or a proxy may be between.
func (e *deniedError) Error() string {
	return fmt.Sprintf("%.255q leads to %s, which the dial policy denies", e.host, e.what)
}
