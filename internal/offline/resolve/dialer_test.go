package resolve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

// listen accepts connections at a loopback address until the end of the test.
func listen(t *testing.T) (address string) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener.Addr().String()
}

func TestDial(t *testing.T) {
	t.Parallel()
	here := listen(t)
	_, port, _ := net.SplitHostPort(here)
	routes := Table{"example.com:443": here}
	forward := func(ctx context.Context, s Service) (net.Conn, error) {
		if s != (Service{Namespace: "webhooks", Name: "policy", Port: "443"}) {
			t.Errorf("got %v to forward to", s)
		}
		return Table{}.Dial(ctx, "tcp", here)
	}
	type test struct {
		row
		dialer  Dialer
		address string
		// to is where the connection leads; empty if there is none.
		to string
	}
	rows := []*test{
		{row{"loopback", "webhooks are on this machine"}, Dialer{}, here, here},
		{row{"localhost", "it is a name of this machine"}, Dialer{}, "LocalHost:" + port, here},
		{row{"name", "it would have to be looked up elsewhere"}, Dialer{}, "example.com:" + port, ""},
		{row{"service", "it may be one of a cluster"}, Dialer{}, "policy.webhooks.svc:443", ""},
		{row{"address", "it may be one of a cluster"}, Dialer{}, "192.0.2.1:" + port, ""},
		{row{"mapped address", "it is an IPv4 address, written as IPv6"}, Dialer{}, "[::ffff:192.0.2.1]:" + port, ""},
		{row{"every interface", "it stands for other addresses of the machine"}, Dialer{}, "0.0.0.0:" + port, ""},
		{row{"name like localhost", "only DNS knows where it leads"}, Dialer{}, "localhost.example.com:" + port, ""},
		{row{"route", "the user has given the target"}, Dialer{Routes: routes}, "Example.com:443", here},
		{row{"route of another port", "one port is routed"}, Dialer{Routes: routes}, "example.com:80", ""},
		{row{"forwarded", "it is a Service"}, Dialer{Forward: forward}, "Policy.webhooks.svc:443", here},
		{row{"forwarded with a route", "the user has given the target"}, Dialer{
			Forward: forward, Routes: Table{"policy.other.svc:443": here},
		}, "policy.other.svc:443", here},
		{row{"forwarded loopback", "it is no Service"}, Dialer{Forward: forward}, here, here},
		{row{"forwarded name", "it is no Service"}, Dialer{Forward: forward}, "example.com:443", ""},
		{row{"forwarded domain", "API servers do not know the domain of the cluster"}, Dialer{Forward: forward},
			"policy.webhooks.svc.cluster.local:443", ""},
		{row{"no port", "it is no address to dial"}, Dialer{}, "127.0.0.1", ""},
		{row{"anywhere", "the user has allowed it"}, Dialer{Anywhere: true}, "0.0.0.0:" + port, here},
	}
	testtable.Run(t, rows, func(t *testing.T, tc *test) {
		conn, err := tc.dialer.Dial(t.Context(), "tcp", tc.address)
		var rejected *NotReachedError
		switch {
		case err != nil && (tc.to != "" || !errors.As(err, &rejected) || !tc.dialer.NotReached(err)):
			t.Errorf("got error %v, want a connection to %q: %s", err, tc.to, tc.Why())
		case err != nil:
			return
		case conn.RemoteAddr().String() != tc.to:
			t.Errorf("got a connection to %v, want %q: %s", conn.RemoteAddr(), tc.to, tc.Why())
		}
		_ = conn.Close()
	})
}

// TestNotReached recognizes an error by its type, and if that is lost by the
// text of one that the dialer has returned.
func TestNotReached(t *testing.T) {
	t.Parallel()
	d := &Dialer{}
	rejected := d.Check("policy.webhooks.svc:443")
	if rejected == nil {
		t.Fatal("the address was not rejected")
	}
	type test struct {
		row
		err  error
		want bool
	}
	testtable.Run(t, []test{
		{row{"none", "nothing is wrong"}, nil, false},
		{row{"wrapped", "the call adds what it attempted"}, fmt.Errorf("calling: %w", rejected), true},
		{row{"text", "a status keeps only the text"}, errors.New("calling: " + rejected.Error()), true},
		{row{"another's text", "the webhook may say anything"}, errors.New((&NotReachedError{"other:443"}).Error()), false},
		{row{"other", "the address was dialled"}, errors.New("connection refused"), false},
	}, func(t *testing.T, tc test) {
		if got := d.NotReached(tc.err); got != tc.want {
			t.Errorf("got %t, want %t: %s", got, tc.want, tc.Why())
		}
	})
}

// TestProxy has a proxy in the environment, which is used only for addresses
// that the dialer would connect to itself.
func TestProxy(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	t.Setenv("NO_PROXY", "")
	t.Setenv("no_proxy", "")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://policy.webhooks.svc:443/", nil)
	if err != nil {
		t.Fatal(err)
	}
	if proxy, err := (&Dialer{Anywhere: true}).Proxy(request); proxy == nil || err != nil {
		t.Fatalf("no proxy, error %v", err)
	}
	if proxy, err := (&Dialer{}).Proxy(request); proxy != nil || err != nil {
		t.Errorf("got the proxy %v, error %v: connections stay on this machine", proxy, err)
	}
	forwarding := &Dialer{Anywhere: true, Forward: func(context.Context, Service) (net.Conn, error) { return nil, nil }}
	if proxy, err := forwarding.Proxy(request); proxy != nil || err != nil {
		t.Errorf("got the proxy %v, error %v: it is not in the cluster", proxy, err)
	}
	routed := &Dialer{Anywhere: true, Routes: Table{"policy.webhooks.svc:443": "127.0.0.1:1"}}
	if proxy, err := routed.Proxy(request); proxy != nil || err != nil {
		t.Errorf("got the proxy %v, error %v: it does not know the route", proxy, err)
	}
}

func TestUnused(t *testing.T) {
	t.Parallel()
	here := listen(t)
	d := &Dialer{Routes: Table{"a:443": here, "b:443": here, "c:443": here}}
	conn, err := d.Dial(t.Context(), "tcp", "B:443")
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	if diff := cmp.Diff([]string{"c:443"}, d.Unused([]string{"A:443"})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
