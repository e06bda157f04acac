package auth

import (
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	x509request "k8s.io/apiserver/pkg/authentication/request/x509"
	tokenunion "k8s.io/apiserver/pkg/authentication/token/union"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/client-go/util/cert"

	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

type hostRow struct {
	row
	listen, host string
	want         bool
}

func TestAllowsHost(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []hostRow{
		{row{"address", "as kubeconfig has it"}, "127.0.0.1", "127.0.0.1:6443", true},
		{row{"no port", "ports are not compared: a port may be forwarded"}, "127.0.0.1", "127.0.0.1", true},
		{row{"localhost", "every machine calls itself that"}, "127.0.0.1", "localhost:6443", true},
		{row{"case and dot", "names have neither"}, "127.0.0.1", "LocalHost.:6443", true},
		{row{"IPv6", "in brackets"}, "::1", "[::1]:6443", true},
		{row{"IPv6 without port", "in brackets"}, "::1", "[::1]", true},
		{row{"other address", "no page can make an address lead elsewhere; the machine may have others"}, "127.0.0.1", "192.0.2.1:6443", true},
		{row{"other name", "it may lead here for a moment"}, "127.0.0.1", "evil.example:6443", false},
		{row{"name that begins the same", "names are compared as a whole"}, "127.0.0.1", "localhost.evil.example", false},
		{row{"address in a name", "some names lead to what they begin with"}, "127.0.0.1", "127.0.0.1.evil.example", false},
		{row{"no name", "clients send a name"}, "127.0.0.1", "", false},
		{row{"own name", "the server listens on a name"}, "Dev.Example", "dev.example:6443", true},
		{row{"beside the own name", "others are still others"}, "dev.example", "evil.example:6443", false},
		{row{"everywhere", "the server cannot know what it is called there"}, "0.0.0.0", "host.docker.internal:6443", true},
		{row{"every address", "likewise"}, "", "host.docker.internal:6443", true},
	}, func(t *testing.T, r hostRow) {
		if got := newOriginFilter(r.listen).allowsHost(hostOf(r.host)); got != r.want {
			t.Errorf("a server at %q answers to %q: %v, want %v", r.listen, r.host, got, r.want)
		}
	})
}

func TestServingNames(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		host, want string
	}
	testtable.Run(t, []test{
		{row{"default", "clients may write it in several ways"}, "127.0.0.1", "localhost"},
		{row{"another name", "clients use the name that the user chose"}, "api.example.com", "api.example.com"},
		{row{"everywhere", "clients come by the addresses of the machine"}, "0.0.0.0", "127.0.0.1"},
	}, func(t *testing.T, r test) {
		names, err := servingNames(r.host)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range append(addressesOf(t, r.host), r.want) {
			if !slices.Contains(names, want) || slices.Contains(names, "0.0.0.0") {
				t.Errorf("got %q, want %q among them", names, want)
			}
		}
	})
}

// addressesOf returns the addresses of the machine if a server listens on all of them.
func addressesOf(t *testing.T, host string) (addresses []string) {
	t.Helper()
	if host != "0.0.0.0" {
		return nil
	}
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		address, _, _ := strings.Cut(a.String(), "/")
		addresses = append(addresses, address)
	}
	return addresses
}

func TestReachableAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"127.0.0.1:1": "127.0.0.1:1", "0.0.0.0:1": "127.0.0.1:1", "[::]:1": "127.0.0.1:1", ":1": "127.0.0.1:1", "[::1]:1": "[::1]:1",
	} {
		if got := reachableAddress(address); got != want {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
}

// TestClientCertificateInAggregatedServers: an aggregated server reads the same
// user from the client certificate as it is told about the token.
func TestClientCertificateInAggregatedServers(t *testing.T) {
	t.Parallel()
	id, err := NewIdentity("127.0.0.1", "")
	if err != nil {
		t.Fatal(err)
	}
	chain, err := cert.ParseCertsPEM(id.ClientCertificate.Certificate)
	if err != nil {
		t.Fatal(err)
	}
	read, _, err := x509request.CommonNameUserConversion.User(chain)
	if err != nil {
		t.Fatal(err)
	}
	request := &http.Request{Header: http.Header{"Authorization": {"Bearer " + id.Token}}}
	told, ok, err := id.Authenticator(nil, tokenunion.New()).AuthenticateRequest(request)
	if err != nil || !ok {
		t.Fatalf("the token is not accepted: %v", err)
	}
	groups := append(read.User.GetGroups(), user.AllAuthenticated)
	if read.User.GetName() != told.User.GetName() || !cmp.Equal(groups, told.User.GetGroups()) {
		t.Errorf("the certificate is of %s in %q, the token of %s in %q", read.User.GetName(), groups, told.User.GetName(), told.User.GetGroups())
	}
}
