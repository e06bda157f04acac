package serviceresolver

import (
	"net"
	"testing"

	"example.com/gatehouse/internal/offline/resolve"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

func TestDial(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	here := listener.Addr().String()
	_, port, _ := net.SplitHostPort(here)
	type test struct {
		row
		config  Config
		address string
		refused bool
	}
	rows := []test{
		{row{"loopback", "webhooks are on this machine"}, Config{}, here, false},
		{row{"localhost", "so is what has this name"}, Config{}, "LocalHost:" + port, false},
		{row{"name", "it would have to be looked up elsewhere"}, Config{}, "example.com:" + port, true},
		{row{"address", "it may be that of a cluster"}, Config{}, "192.0.2.1:" + port, true},
		{row{"mapped address", "IPv4 in the clothes of IPv6 is still what it is"}, Config{}, "[::ffff:192.0.2.1]:" + port, true},
		{row{"every interface", "it stands for other addresses of the machine"}, Config{}, "0.0.0.0:" + port, true},
		{row{"route", "the configuration allows it"}, Config{Routes: resolve.Table{"example.com:443": here}}, "Example.com:443", false},
		{row{"other port than the route's", "only one port is routed"}, Config{Routes: resolve.Table{"example.com:443": here}}, "example.com:80", true},
		{row{"no port", "it is not an address to dial"}, Config{}, "127.0.0.1", true},
		{row{"anywhere", "the configuration allows it"}, Config{Anywhere: true}, "0.0.0.0:" + port, false},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		resolver := &Resolver{config: r.config}
		conn, err := resolver.dial(t.Context(), "tcp", r.address)
		if (err != nil) != r.refused {
			t.Errorf("refused: %v (%v), want %v", err != nil, err, r.refused)
		}
		if conn != nil {
			_ = conn.Close()
		}
	})
}
