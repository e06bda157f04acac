package registry

import (
	"net/netip"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestKubernetesServiceAddress: the endpoint is where the server listens.
func TestKubernetesServiceAddress(t *testing.T) {
	t.Parallel()
	host := hostAddress()
	type test struct {
		testtable.Row
		listens, want string
		family        discoveryv1.AddressType
	}
	testtable.Run(t, []test{
		{testtable.Row{"loopback", "clients on this machine reach it"}, "127.0.0.1:6443", "127.0.0.1", discoveryv1.AddressTypeIPv4},
		{testtable.Row{"mapped", "a socket for both families names IPv4 so"}, "[::ffff:127.0.0.1]:6443", "127.0.0.1", discoveryv1.AddressTypeIPv4},
		{testtable.Row{"IPv6", "slices have one family"}, "[::1]:6443", "::1", discoveryv1.AddressTypeIPv6},
		{testtable.Row{"all", "no address at all would be of no use"}, "[::]:6443", host.String(), discoveryv1.AddressTypeIPv4},
	}, func(t *testing.T, r test) {
		objects := KubernetesService(netip.MustParseAddrPort(r.listens))
		slice := objects[2].(*discoveryv1.EndpointSlice)
		if got := slice.Endpoints[0].Addresses[0]; got != r.want || *slice.Ports[0].Port != 6443 {
			t.Errorf("got %s port %d, want %s port 6443", got, *slice.Ports[0].Port, r.want)
		}
		if r.Name() != "all" && slice.AddressType != r.family {
			t.Errorf("got %s, want %s", slice.AddressType, r.family)
		}
	})
}
