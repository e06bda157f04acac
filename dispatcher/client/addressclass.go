package client

import (
	"encoding/binary"
	"net/netip"
)

// addressClass is a bit set of classes of addresses.
type addressClass uint8

const (
	loopback addressClass = 1 << iota
	linkLocal
	private
	// reserved are addresses that no host has, such as multicast addresses.
	reserved
)

// String names the first class of the set, for errors.
func (c addressClass) String() string {
	switch {
	case c&loopback != 0:
		return "a loopback address"
	case c&linkLocal != 0:
		return "a link-local address"
	case c&private != 0:
		return "a private address"
	case c&reserved != 0:
		return "a multicast or reserved address"
	}
	return "a public address"
}

// classRanges are the ranges of each class; all other addresses are public.
var classRanges = []struct {
	prefix netip.Prefix
	class  addressClass
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
	{netip.MustParsePrefix("224.0.0.0/4"), reserved},
	{netip.MustParsePrefix("240.0.0.0/4"), reserved}, // includes the broadcast address

	{netip.MustParsePrefix("::/127"), loopback}, // :: connects to this machine
	{netip.MustParsePrefix("fe80::/10"), linkLocal},
	{netip.MustParsePrefix("fc00::/7"), private},
	{netip.MustParsePrefix("fec0::/10"), private}, // predecessor of fc00::/7
	// Local-use NAT64: only the network knows where the IPv4 address is.
	{netip.MustParsePrefix("64:ff9b:1::/48"), private | reserved},
	{netip.MustParsePrefix("ff00::/8"), reserved},
}

// embeddedIPv4Ranges are the IPv6 ranges whose addresses embed an IPv4 address:
// the offset of its first byte, and whether its bits are inverted.
var embeddedIPv4Ranges = []struct {
	prefix   netip.Prefix
	offset   int
	inverted bool
}{
	{netip.MustParsePrefix("::/96"), 12, false},           // IPv4-compatible, deprecated
	{netip.MustParsePrefix("::ffff:0:0:0/96"), 12, false}, // IPv4-translated (SIIT)
	{netip.MustParsePrefix("64:ff9b::/96"), 12, false},    // NAT64
	{netip.MustParsePrefix("2002::/16"), 2, false},        // 6to4
	{netip.MustParsePrefix("2001::/32"), 12, true},        // Teredo
}

// isatap are the four bytes before the IPv4 address in the lower half of an
// ISATAP address; isatapUnique is the bit in them that says whether the address
// is unique.
const isatap, isatapUnique = 0x00005efe, 0x02000000

// classOf returns the classes of an address, including those of an IPv4 address
// that it embeds. A public address has none.
func classOf(addr netip.Addr) addressClass {
	if !addr.IsValid() {
		return reserved
	}
	// netip.Prefix does not contain addresses with zones.
	addr = addr.Unmap().WithZone("")
	var c addressClass
	for _, r := range classRanges {
		if r.prefix.Contains(addr) {
			c |= r.class
		}
	}
	if addr.Is4() || c&loopback != 0 {
		return c
	}
	bytes := addr.As16()
	for _, r := range embeddedIPv4Ranges {
		if r.prefix.Contains(addr) {
			c |= classOf(embeddedIPv4(bytes, r.offset, r.inverted))
		}
	}
	if binary.BigEndian.Uint32(bytes[8:])&^isatapUnique == isatap {
		c |= classOf(embeddedIPv4(bytes, 12, false))
	}
	return c
}

// embeddedIPv4 returns the IPv4 address in an IPv6 address.
func embeddedIPv4(bytes [16]byte, offset int, inverted bool) netip.Addr {
	v4 := [4]byte(bytes[offset : offset+4])
	if inverted {
		for i := range v4 {
			v4[i] = ^v4[i]
		}
	}
	return netip.AddrFrom4(v4)
}
