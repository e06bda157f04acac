package client

import (
	"net/netip"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

type classRow struct {
	row
	addr string
	want addressClass
}

var classRows = []classRow{
	{row{"public", "most addresses have no class"}, "198.51.100.7", 0},
	{row{"public IPv6", "likewise"}, "2a00:1450::8a", 0},
	{row{"loopback", "this machine"}, "127.0.0.1", loopback},
	{row{"other loopback", "all of 127.0.0.0/8 is this machine"}, "127.255.255.254", loopback},
	{row{"before loopback", "the range is exact"}, "126.255.255.255", 0},
	{row{"after loopback", "the range is exact"}, "128.0.0.1", 0},
	{row{"unspecified", "Linux connects it to this machine"}, "0.0.0.0", loopback},
	{row{"this network", "some systems treat it as 0.0.0.0"}, "0.1.2.3", loopback},
	{row{"IPv6 loopback", "this machine"}, "::1", loopback},
	{row{"IPv6 unspecified", "connects to this machine"}, "::", loopback},
	{row{"metadata", "where clouds keep credentials"}, "169.254.169.254", linkLocal},
	{row{"IPv6 link-local", "this network"}, "fe80::1", linkLocal},
	{row{"IPv6 zone", "a range contains addresses with zones only without the zone"}, "fe80::1%eth0", linkLocal},
	{row{"end of link-local", "fe80::/10 reaches that far"}, "febf::1", linkLocal},
	{row{"ten", "RFC 1918"}, "10.255.0.1", private},
	{row{"172.16", "RFC 1918"}, "172.16.0.1", private},
	{row{"172.31", "the end of its range"}, "172.31.255.255", private},
	{row{"172.32", "the first address after that range"}, "172.32.0.0", 0},
	{row{"192.168", "RFC 1918"}, "192.168.1.1", private},
	{row{"shared", "shared by a provider's customers; some metadata services are there"}, "100.100.100.200", private},
	{row{"after shared", "the range is exact"}, "100.128.0.0", 0},
	{row{"IETF", "other metadata services are there"}, "192.0.0.192", private},
	{row{"benchmarks", "not routed on the Internet"}, "198.19.0.1", private},
	{row{"unique local", "the private addresses of IPv6"}, "fd00:ec2::254", private},
	{row{"unique local fc", "the other half of fc00::/7"}, "fc00::1", private},
	{row{"site-local", "deprecated, but some networks use it"}, "fec0::1", private},
	{row{"multicast", "no webhook can have the address"}, "224.0.0.1", reserved},
	{row{"broadcast", "no webhook can have the address"}, "255.255.255.255", reserved},
	{row{"IPv6 multicast", "no webhook can have the address"}, "ff02::1", reserved},
	{row{"mapped loopback", "the kernel connects with IPv4"}, "::ffff:127.0.0.1", loopback},
	{row{"mapped private", "likewise"}, "::ffff:a00:1", private},
	{row{"mapped zone", "the zone is ignored"}, "::ffff:10.0.0.1%eth0", private},
	{row{"mapped public", "another spelling of an IPv4 address"}, "::ffff:198.51.100.7", 0},
	{row{"compatible", "the oldest way to write IPv4 as IPv6"}, "::10.0.0.1", private},
	{row{"translated", "used by stateless translators"}, "::ffff:0:10.0.0.1", private},
	{row{"NAT64 private", "the gateway may route it to the IPv4 address"}, "64:ff9b::10.0.0.1", private},
	{row{"NAT64 metadata", "the gateway may route it to the IPv4 address"}, "64:ff9b::a9fe:a9fe", linkLocal},
	{row{"NAT64 public", "how IPv6-only networks reach IPv4 hosts"}, "64:ff9b::198.51.100.7", 0},
	{row{"own NAT64", "only the network knows the IPv4 address"}, "64:ff9b:1::198.51.100.7", private | reserved},
	{row{"6to4 private", "the IPv4 address follows the prefix"}, "2002:0a00:0001::1", private},
	{row{"6to4 loopback", "likewise"}, "2002:7f00:0001::", loopback},
	{row{"6to4 public", "the embedded address is public"}, "2002:c633:6407::1", 0},
	{row{"Teredo private", "the client's address is inverted"}, "2001:0:4136:e378:8000:63bf:f5ff:fffe", private},
	{row{"Teredo public", "likewise"}, "2001:0:4136:e378:8000:63bf:39cc:9bf8", 0},
	{row{"ISATAP", "the IPv4 address is in the lower half"}, "2a00:1450::5efe:10.0.0.1", private},
	{row{"unique ISATAP", "likewise, with the unique bit set"}, "2a00:1450::200:5efe:10.0.0.1", private},
	{row{"both", "its own class and that of the embedded address"}, "fd00::5efe:127.0.0.1", private | loopback},
}

func TestClassOf(t *testing.T) {
	t.Parallel()
	testtable.Run(t, classRows, func(t *testing.T, r classRow) {
		if got := classOf(netip.MustParseAddr(r.addr)); got != r.want {
			t.Errorf("%s is of the classes %04b (%v), want %04b (%v)", r.addr, got, got, r.want, r.want)
		}
	})
	if got := classOf(netip.Addr{}); got != reserved {
		t.Errorf("no address at all is of the classes %04b", got)
	}
}

// FuzzClassOf: an IPv6 address that embeds an IPv4 address has the same
// classes.
func FuzzClassOf(f *testing.F) {
	f.Add([]byte{10, 0, 0, 1})
	f.Add([]byte{198, 51, 100, 7})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) != 4 {
			return
		}
		v4 := netip.AddrFrom4([4]byte(b))
		want := classOf(v4)
		for name, prefix := range map[string][]byte{
			"mapped": {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff},
			"NAT64":  {0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0},
			"6to4":   {0x20, 0x02},
		} {
			var wide [16]byte
			copy(wide[copy(wide[:], prefix):], b)
			if got := classOf(netip.AddrFrom16(wide)); got != want {
				t.Errorf("%v as %s is of the classes %04b, want %04b", v4, name, got, want)
			}
		}
	})
}
