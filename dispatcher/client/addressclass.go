package client

import (
	"encoding/binary"
	"net/netip"
)

// class is a set of classes of addresses.
type class uint8

const (
	loopback class = 1 << iota
	linkLocal
	private
	// special are addresses that are nobody's in particular.
	special
)

// String names the first class of the set, as errors do.
func (c class) String() string {
	switch {
	case c&loopback != 0:
		return "a loopback address"
	case c&linkLocal != 0:
		return "a link-local address"
	case c&private != 0:
		return "a private address"
	case c&special != 0:
		return "a multicast or reserved address"
	}
	return "a public address"
}

// classed are the ranges that mean something; all others are public.
var classed = []struct {
	prefix netip.Prefix
	class  class
}{
	{netip.MustParsePrefix("0.0.0.0/8"), loopback}, // 0.0.0.0 connects to this machine
	{netip.MustParsePrefix("127.0.0.0/8"), loopback},
	{netip.MustParsePrefix("169.254.0.0/16"), linkLocal},
	{netip.MustParsePrefix("10.0.0.0/8"), private},
	{netip.MustParsePrefix("100.64.0.0/10"), private},
	{netip.MustParsePrefix("172.16.0.0/12"), private},
	{netip.MustParsePrefix("192.0.0.0/24"), private},
	{netip.MustParsePrefix("192.168.0.0/16"), private},
	{netip.MustParsePrefix("198.18.0.0/15"), private},
	{netip.MustParsePrefix("224.0.0.0/4"), special},
	{netip.MustParsePrefix("240.0.0.0/4"), special}, // with the broadcast address

	{netip.MustParsePrefix("::/127"), loopback}, // :: connects to this machine
	{netip.MustParsePrefix("fe80::/10"), linkLocal},
	{netip.MustParsePrefix("fc00::/7"), private},
	{netip.MustParsePrefix("fec0::/10"), private}, // what fc00::/7 was once
	// NAT64 of a network's own, which alone knows where the IPv4 address is.
	{netip.MustParsePrefix("64:ff9b:1::/48"), private | special},
	{netip.MustParsePrefix("ff00::/8"), special},
}

// carriers are the ranges whose addresses stand for an IPv4 address: the byte at which
// that begins, and whether each bit of it is turned over.
var carriers = []struct {
	prefix netip.Prefix
	at     int
	turned bool
}{
	{netip.MustParsePrefix("::/96"), 12, false},           // compatible with IPv4, as was once meant
	{netip.MustParsePrefix("::ffff:0:0:0/96"), 12, false}, // translated, of SIIT
	{netip.MustParsePrefix("64:ff9b::/96"), 12, false},    // NAT64
	{netip.MustParsePrefix("2002::/16"), 2, false},        // 6to4
	{netip.MustParsePrefix("2001::/32"), 12, true},        // Teredo
}

// isatap are the four bytes before the IPv4 address in the lower half of an address of
// ISATAP, but for the bit that says whether the address is unique.
const isatap, isatapUnique = 0x00005efe, 0x02000000

// classOf returns the classes of an address: its own, and of an IPv6 address that stands
// for an IPv4 address those of that one, too. It has none if it is public.
func classOf(addr netip.Addr) class {
	if !addr.IsValid() {
		return special
	}
	// A range does not contain addresses with zones.
	addr = addr.Unmap().WithZone("")
	var c class
	for _, r := range classed {
		if r.prefix.Contains(addr) {
			c |= r.class
		}
	}
	if addr.Is4() || c&loopback != 0 {
		return c
	}
	bytes := addr.As16()
	for _, r := range carriers {
		if r.prefix.Contains(addr) {
			c |= classOf(carried(bytes, r.at, r.turned))
		}
	}
	if binary.BigEndian.Uint32(bytes[8:])&^isatapUnique == isatap {
		c |= classOf(carried(bytes, 12, false))
	}
	return c
}

// carried returns the IPv4 address in an IPv6 address.
func carried(bytes [16]byte, at int, turned bool) netip.Addr {
	v4 := [4]byte(bytes[at : at+4])
	if turned {
		for i := range v4 {
			v4[i] = ^v4[i]
		}
	}
	return netip.AddrFrom4(v4)
}
