package hostname_test

import (
	"testing"

	"example.com/gatehouse/internal/hostname"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

type lowerRow struct {
	row
	host, want string
}

func TestLower(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []lowerRow{
		{row{"upper", "hosts have no case"}, "Hook.EXAMPLE:8443", "hook.example:8443"},
		{row{"dotted I", "net/http goes to xn--hi-sub.example for it, and not to hi.example"}, "hİ.example", "hİ.example"},
		{row{"Kelvin", "net/http goes to k.example for it, but so will who looks it up"}, "\u212a.example", "\u212a.example"},
		{row{"no UTF-8", "two such hosts are not the same"}, "A\x80.\xff", "a\x80.\xff"},
		{row{"address", "with its zone, which is compared like that, too"}, "[FE80::1%ETH0]:443", "[fe80::1%eth0]:443"},
	}, func(t *testing.T, r lowerRow) {
		if got := hostname.Lower(r.host); got != r.want {
			t.Errorf("got %q, want %q", got, r.want)
		}
	})
}

type numberRow struct {
	row
	host string
	want bool
}

func TestIsNumber(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []numberRow{
		{row{"address", "an ordinary one"}, "127.0.0.1", true},
		{row{"short", "the last part fills the rest"}, "127.1", true},
		{row{"one number", "all four bytes"}, "2130706433", true},
		{row{"hexadecimal", "as in C"}, "0X7F000001", true},
		{row{"mixed", "the last part counts"}, "0x7f.1", true},
		{row{"hexadecimal at the end", "digits of both kinds"}, "127.0.0.0xa", true},
		{row{"octal", "as in C"}, "127.0.0.01", true},
		{row{"dot at the end", "some resolvers take it away"}, "127.0.0.1.", true},
		{row{"nothing but 0x", "browsers take it for 0"}, "127.0x", true},
		{row{"name", "an ordinary one"}, "hook.example", false},
		{row{"digits in front", "only the last label counts"}, "10.0.0.1.example", false},
		{row{"digits within", "a label of letters and digits is a name"}, "host.a1", false},
		{row{"letters after 0x", "no digits"}, "0xyz", false},
		{row{"IPv6", "it has no labels, and is parsed as it is"}, "::1", false},
		{row{"empty", "there is nothing"}, "", false},
		{row{"dot", "likewise"}, ".", false},
	}, func(t *testing.T, r numberRow) {
		if got := hostname.IsNumber(r.host); got != r.want {
			t.Errorf("%q: got %v, want %v", r.host, got, r.want)
		}
	})
}

type loopbackRow struct {
	row
	host string
	want bool
}

func TestIsLoopback(t *testing.T) {
	t.Parallel()
	rows := []loopbackRow{
		{row{"name", "the name of this machine"}, "localhost", true},
		{row{"upper case", "names are compared without case (S-277)"}, "LocalHost", true},
		{row{"IPv4", "all of 127/8 is loopback"}, "127.8.8.8", true},
		{row{"IPv4 with leading zeros", "kube-apiserver accepts leading zeros"}, "127.0.0.01", true},
		{row{"IPv6", "the address without brackets"}, "::1", true},
		{row{"sub-domain", "only the exact name counts"}, "hook.localhost", false},
		{row{"other address", "not an address of this machine"}, "192.0.2.1", false},
		{row{"nothing", "an empty host is not this machine"}, "", false},
	}
	testtable.Run(t, rows, func(t *testing.T, r loopbackRow) {
		if got := hostname.IsLoopback(r.host); got != r.want {
			t.Errorf("IsLoopback(%q) = %v, want %v", r.host, got, r.want)
		}
	})
}
