package client

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// noLoopback denies the addresses of all test servers, noPrivate permits them.
var noLoopback, noPrivate = DialPolicy{DenyLoopback: true}, DialPolicy{DenyLinkLocal: true, DenyPrivate: true}

type policyRow struct {
	row
	policy DialPolicy
	addr   string
	want   string
}

// TestDialPolicy checks single addresses. The tests below connect to servers.
func TestDialPolicy(t *testing.T) {
	t.Parallel()
	errorFor := func(class string) string { return `"hook" leads to ` + class + `, which the dial policy denies` }
	loopbackAllowed := DialPolicy{DenyLoopback: true, DenyPrivate: true, Allow: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")}}
	rows := []policyRow{
		{row{"zero", "kube-apiserver has no policy"}, DialPolicy{}, "127.0.0.1", ""},
		{row{"zero and reserved", "nothing is denied by default"}, DialPolicy{}, "255.255.255.255", ""},
		{row{"loopback", "its class is denied"}, noLoopback, "::1", errorFor("a loopback address")},
		{row{"not loopback", "classes are denied one by one"}, noLoopback, "10.0.0.1", ""},
		{row{"link-local", "its class is denied"}, noPrivate, "169.254.169.254", errorFor("a link-local address")},
		{row{"private", "its class is denied"}, noPrivate, "fd00::1", errorFor("a private address")},
		{row{"not private", "classes are denied one by one"}, noPrivate, "127.0.0.1", ""},
		{row{"multicast", "denied with any class"}, noLoopback, "ff02::1", errorFor("a multicast or reserved address")},
		{row{"public", "no class contains it"}, DialPolicy{DenyLoopback: true, DenyLinkLocal: true, DenyPrivate: true}, "198.51.100.7", ""},
		{row{"exception", "Allow permits the webhooks' range"}, loopbackAllowed, "10.1.2.3", ""},
		{row{"exception as IPv6", "the kernel connects with IPv4"}, loopbackAllowed, "::ffff:10.1.2.3", ""},
		{row{"no exception", "the rest of the class is denied"}, loopbackAllowed, "10.2.0.0", errorFor("a private address")},
		{row{"embedded exception", "Allow does not apply to embedded addresses"}, loopbackAllowed, "64:ff9b::10.1.2.3", errorFor("a private address")},
		{row{"own NAT64", "the IPv4 address is unknown and may be a denied one"}, noLoopback, "64:ff9b:1::1", errorFor("a multicast or reserved address")},
	}
	testtable.Run(t, rows, func(t *testing.T, r policyRow) {
		got := testtable.Text(r.policy.check("hook", netip.MustParseAddr(r.addr)))
		if diff := cmp.Diff(r.want, got); diff != "" {
			t.Errorf("unexpected decision (-want +got):\n%s", diff)
		}
	})
}

// TestInvalidPolicy: Allow without a denied class would permit every address.
func TestInvalidPolicy(t *testing.T) {
	t.Parallel()
	ten := netip.MustParsePrefix("10.0.0.0/8")
	for want, policy := range map[string]DialPolicy{
		"denies no addresses": {Allow: []netip.Prefix{ten}},
		"invalid Prefix":      {DenyPrivate: true, Allow: []netip.Prefix{{}}},
		"::ffff:10.0.0.0/":    {DenyPrivate: true, Allow: []netip.Prefix{netip.MustParsePrefix("::ffff:10.0.0.0/104")}},
	} {
		if _, err := New(Config{DialPolicy: policy}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

type reachRow struct {
	row
	// url contains PORT, which is replaced by the server's port.
	url    string
	policy DialPolicy
	// err is empty if the call succeeds.
	err string
}

const (
	denied      = " leads to a loopback address, which the dial policy denies"
	nonstandard = " leads to an address in a nonstandard spelling, which the dial policy denies"
)

// TestPolicyOnTheWire: a server at a denied address receives no connection.
func TestPolicyOnTheWire(t *testing.T) {
	t.Parallel()
	allowed := DialPolicy{DenyLoopback: true, Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	rows := []reachRow{
		{row{"none", "the default permits all"}, "https://127.0.0.1:PORT", DialPolicy{}, ""},
		{row{"private", "another class"}, "https://127.0.0.1:PORT", noPrivate, ""},
		{row{"exception", "Allow permits a denied class"}, "https://127.0.0.1:PORT", allowed, ""},
		{row{"address", "HTTP/2 uses the same dialer"}, "https://127.0.0.1:PORT", noLoopback, `"127.0.0.1"` + denied},
		{row{"name", "the address that it resolves to is denied"}, "https://localhost:PORT", noLoopback, `"localhost"` + denied},
		{row{"case", "the error has the configured spelling"}, "https://LocalHost:PORT", noLoopback, `"LocalHost"` + denied},
		{row{"unspecified", "connects to this machine"}, "https://0.0.0.0:PORT", noLoopback, `"0.0.0.0"` + denied},
		{row{"mapped", "the kernel connects with IPv4"}, "https://[::ffff:127.0.0.1]:PORT", noLoopback, `"::ffff:127.0.0.1"` + denied},
		{row{"IPv6 unspecified", "connects to this machine"}, "https://[::]:PORT", noLoopback, `"::"` + denied},
		{row{"plain", "the policy does not depend on TLS"}, "http://127.0.0.1:PORT", noLoopback, `"127.0.0.1"` + denied},
	}
	testtable.Run(t, rows, func(t *testing.T, r reachRow) {
		b := startBackend(t, http.HandlerFunc(ok), "localhost")
		_, port, _ := net.SplitHostPort(b.addr)
		address := strings.Replace(r.url, "PORT", port, 1)
		_, err := post(t, newClient(t, Config{DialPolicy: r.policy}), urlHook(address, b.ca), "{}")
		want := ""
		if r.err != "" {
			u, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			want = `Post "` + u.String() + `/?timeout=5s": ` + r.err
		}
		if diff := cmp.Diff(want, testtable.Text(err)); diff != "" {
			t.Errorf("unexpected error (-want +got):\n%s", diff)
		}
		// The server accepts connections in order: a denied one would come before this.
		if _, err := post(t, newClient(t, Config{}), urlHook("https://"+b.addr, b.ca), "{}"); err != nil {
			t.Fatal(err)
		}
		seen := 2
		if r.err != "" {
			seen = 1
		}
		if n := b.connections(); n != seen {
			t.Errorf("the server saw %d connections, want %d", n, seen)
		}
	})
}

// TestDeniedErrorsAreEqual: the error does not depend on whether a server
// listens.
func TestDeniedErrorsAreEqual(t *testing.T) {
	t.Parallel()
	there := startBackend(t, http.HandlerFunc(ok))
	c := newClient(t, Config{DialPolicy: noLoopback})
	texts := map[string]bool{}
	for _, addr := range []string{there.addr, closedPort} {
		_, err := post(t, c, urlHook("https://"+addr, there.ca), "{}")
		texts[strings.ReplaceAll(testtable.Text(err), addr, "ADDR")] = true
	}
	if diff := cmp.Diff(map[string]bool{`Post "https://ADDR/?timeout=5s": "127.0.0.1"` + denied: true}, texts); diff != "" {
		t.Errorf("unexpected errors (-want +got):\n%s", diff)
	}
}

// closedPort is an address at which no server listens. No connection and no listener of
// another test gets the port.
const closedPort = "127.0.0.1:1"

// TestPolicyAndRedirects: the policy applies to redirects, including those of a
// service, which itself is not subject to it. The client is exact, because the
// default refuses the redirect.
func TestPolicyAndRedirects(t *testing.T) {
	t.Parallel()
	inner := startBackend(t, http.HandlerFunc(ok))
	outer := startBackend(t, http.RedirectHandler("https://"+inner.addr+"/x", http.StatusTemporaryRedirect), "gate.hooks.svc")
	ca := append(append([]byte{}, outer.ca...), inner.ca...)
	// The connections to the outer server have a public RemoteAddr.
	for name, w := range map[string]*admission.Webhook{"service": serviceHook(ca), "url": urlHook("https://hook.example", ca)} {
		c := newClient(t, Config{
			DialPolicy: noLoopback, Exact: true, Services: at(outer.addr),
			Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
				if addr != "hook.example:443" {
					return (&net.Dialer{}).DialContext(ctx, network, addr)
				}
				conn, err := (&net.Dialer{}).DialContext(ctx, network, outer.addr)
				return publicConn{conn}, err
			},
			AuthInfo: authInfo(&rest.Config{TLSClientConfig: rest.TLSClientConfig{ServerName: "gate.hooks.svc"}}),
		})
		_, err := post(t, c, w, "{}")
		var d *deniedError
		if !errors.As(err, &d) || d.address != "a loopback address" {
			t.Errorf("%s: error %v, want the policy's", name, err)
		}
	}
	if n := inner.connections(); n != 0 {
		t.Errorf("the inner server saw %d connections", n)
	}
	if n := outer.connections(); n != 2 {
		t.Errorf("the outer server saw %d connections, want 2", n)
	}
}

// publicConn is a connection with a public RemoteAddr.
type publicConn struct{ net.Conn }

func (publicConn) RemoteAddr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(198, 51, 100, 7), Port: 443}
}

// unknownConn is a connection without a RemoteAddr.
type unknownConn struct{ net.Conn }

func (unknownConn) RemoteAddr() net.Addr { return nil }

// TestDeniedConnectionsAreClosed: a connection of an embedder's dialer that is denied
// does not stay open until the garbage collector closes it.
func TestDeniedConnectionsAreClosed(t *testing.T) {
	t.Parallel()
	near, far := net.Pipe()
	c := newClient(t, Config{
		DialPolicy: noLoopback,
		Dial:       func(context.Context, string, string) (net.Conn, error) { return unknownConn{near}, nil },
	})
	_, err := post(t, c, urlHook("https://hook.example", nil), "{}")
	var d *deniedError
	if !errors.As(err, &d) {
		t.Errorf("error %v, want the policy's", err)
	}
	// The end of the connection wins over a deadline that has passed.
	_ = far.SetReadDeadline(time.Unix(1, 0))
	if _, err := far.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("reading from the other end: %v, want EOF", err)
	}
}

// TestPolicyAndServices: the policy does not apply to the resolver's address.
func TestPolicyAndServices(t *testing.T) {
	t.Parallel()
	for _, exact := range []bool{false, true} {
		b := startBackend(t, http.HandlerFunc(ok), "gate.hooks.svc")
		c := newClient(t, Config{DialPolicy: noLoopback, Exact: exact, Services: at(b.addr)})
		if _, err := post(t, c, serviceHook(b.ca), "{}"); err != nil {
			t.Errorf("exact %v: %v", exact, err)
		}
	}
}

// TestPolicyAndNamesOfServices: DNS, and not the ServiceResolver, resolves a
// redirect to another port or another spelling of the service's name.
func TestPolicyAndNamesOfServices(t *testing.T) {
	t.Parallel()
	inner := startBackend(t, http.HandlerFunc(ok), "gate.hooks.svc")
	for _, to := range []string{"https://gate.hooks.svc:10250/", "https://GATE.hooks.svc:443/", "https://gate.hooks.svc/x"} {
		outer := startBackend(t, http.RedirectHandler(to, http.StatusTemporaryRedirect), "gate.hooks.svc")
		c := newClient(t, Config{DialPolicy: noLoopback, Exact: true, Services: at(outer.addr), Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
			if addr != outer.addr {
				addr = inner.addr // as DNS could resolve it
			}
			return (&net.Dialer{}).DialContext(ctx, network, addr)
		}})
		_, err := post(t, c, serviceHook(append(append([]byte{}, outer.ca...), inner.ca...)), "{}")
		var d *deniedError
		if !errors.As(err, &d) || d.address != "a loopback address" || outer.connections() != 1 {
			t.Errorf("%s: error %v after %d connections, want the policy's after 1", to, err, outer.connections())
		}
	}
	if n := len(inner.serverNames()); n != 0 {
		t.Errorf("TLS began %d times", n)
	}
}

type dialerRow struct {
	row
	url      string
	dial     func(net.Conn) net.Conn
	fromAuth bool
	want     string
	dials    int
}

// TestPolicyAndDialers: a denied connection of an embedder's dialer is closed
// before TLS begins.
func TestPolicyAndDialers(t *testing.T) {
	t.Parallel()
	as := func(c net.Conn) net.Conn { return c }
	rows := []dialerRow{
		{row{"own", "the connection's RemoteAddr is denied"}, "https://hook.example", as, false, `"hook.example"` + denied, 1},
		{row{"of the credentials", "likewise"}, "https://hook.example", as, true, `"hook.example"` + denied, 1},
		{row{"address", "the dialer is not called, because it might open a tunnel"}, "https://127.0.0.1", as, false, `"127.0.0.1"` + denied, 0},
		{row{"short address", "C's resolver accepts it, and so may the far end of a tunnel"}, "https://127.1", as, false, `"127.1"` + nonstandard, 0},
		{row{"octal", "package netip does not accept it"}, "https://127.0.0.01", as, true, `"127.0.0.01"` + nonstandard, 0},
		{
			row{"public", "a permitted address is connected to"},
			"https://hook.example", func(c net.Conn) net.Conn { return publicConn{c} }, false, "", 1,
		},
		{
			row{"unknown", "an unknown address is denied"},
			"https://hook.example", func(c net.Conn) net.Conn { return unknownConn{c} }, false,
			`"hook.example" leads to an unknown address, which the dial policy denies`, 1,
		},
	}
	testtable.Run(t, rows, func(t *testing.T, r dialerRow) {
		b := startBackend(t, http.HandlerFunc(ok), "hook.example")
		dials := 0
		dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
			dials++
			conn, err := b.dial(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			return r.dial(conn), nil
		}
		cfg := Config{DialPolicy: noLoopback, Dial: dial}
		if r.fromAuth {
			cfg.Dial, cfg.AuthInfo = nil, authInfo(&rest.Config{Dial: dial})
		}
		_, err := post(t, newClient(t, cfg), urlHook(r.url, b.ca), "{}")
		var d *deniedError
		got := ""
		if errors.As(err, &d) {
			got = d.Error()
		} else if err != nil {
			t.Error(err)
		}
		if got != r.want || dials != r.dials {
			t.Errorf("got %q after %d dials, want %q after %d", got, dials, r.want, r.dials)
		}
		if n := len(b.serverNames()); (n == 0) != (r.want != "") {
			t.Errorf("TLS began %d times", n)
		}
		b.eventuallyOpen(t, map[bool]int{true: 1, false: 0}[r.want == ""])
	})
}

// TestPolicyAndTransports: a transport whose connections cannot be checked is
// not used.
func TestPolicyAndTransports(t *testing.T) {
	t.Parallel()
	brought := authInfo(&rest.Config{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		t.Error("the transport was used")
		return nil, errors.New("used")
	})})
	_, err := newClient(t, Config{DialPolicy: noPrivate, AuthInfo: brought}).Endpoint(t.Context(), urlHook("https://hook.example", nil))
	const want = "the dial policy cannot check the connections of a custom transport"
	if got := testtable.Text(err); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestExceptionsAreCopied: later changes of the caller's slice have no effect.
func TestExceptionsAreCopied(t *testing.T) {
	t.Parallel()
	allowed := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	c := newClient(t, Config{DialPolicy: DialPolicy{DenyLoopback: true, Allow: allowed}})
	allowed[0] = netip.MustParsePrefix("10.0.0.0/8")
	if err := c.config.DialPolicy.check("hook.example", netip.MustParseAddr("127.0.0.1")); err != nil {
		t.Error(err)
	}
}
