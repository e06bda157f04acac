package webhooktest

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/reviewtest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// clientFor returns a client that believes a server, and calls it by another
// name.
func clientFor(t *testing.T, s *Server, name string) *http.Client {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(s.CABundle)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: name}, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

type nameRow struct {
	row
	name string
}

// TestServerHasEveryName calls one server by many names.
func TestServerHasEveryName(t *testing.T) {
	t.Parallel()
	s := Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Proto) }))
	if s.URL != "https://"+s.Address {
		t.Errorf("the URL is %s and the address %s", s.URL, s.Address)
	}
	testtable.Run(t, []nameRow{
		{row{"service", "as a cluster calls it"}, "sidecar.webhooks.svc"},
		{row{"other service", "one server may be several webhooks"}, "policy.webhooks.svc"},
		{row{"address", "the URL itself, which has no name to ask for"}, ""},
	}, func(t *testing.T, r nameRow) {
		for range 2 {
			response, err := clientFor(t, s, r.name).Get(s.URL)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(response.Body)
			if err != nil || string(body) != "HTTP/2.0" {
				t.Errorf("got %q, %v", body, err)
			}
			if err := response.Body.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestServed calls webhooks over TLS, by the names of their configurations.
func TestServed(t *testing.T) {
	t.Parallel()
	label, policy := Serve(t, answer(label)), Serve(t, answer(deny))
	s := New(t, Files("testdata/webhooks"), wanted(),
		ServedBy(label, "label.example.com"), Address(policy.Address, policy.CABundle))
	s.Run(t,
		Case{"both", Create(configMap).In("shop").As("ann"), Denied().Message("ann may not CREATE").
			Object("metadata: {labels: {by: ann}}").Called("label.example.com", "policy.example.com")},
		Case{"one", Create(configMap), Denied().Called("policy.example.com")},
	)
	for _, c := range s.Do(t, Create(configMap).In("shop")).Calls {
		if to := c.Trace.Connection.Address; to != label.Address && to != policy.Address {
			t.Errorf("%s was called at %q", c.Webhook.Name, to)
		}
	}
}

// TestAddressOfAStranger rejects a server without a certificate of the CA.
func TestAddressOfAStranger(t *testing.T) {
	t.Parallel()
	stranger, known := Serve(t, answer(reviewtest.Allow)), Serve(t, answer(reviewtest.Allow))
	s := New(t, Objects(policy), Address(stranger.Address, known.CABundle, "policy.example.com"))
	s.Run(t, Case{"refused", Create(configMap), Denied().Message("certificate signed by unknown authority")})
}

// TestComplaints logs what a server says in the test that serves it, and
// nothing after it.
func TestComplaints(t *testing.T) {
	t.Parallel()
	var said strings.Builder
	c := &serverLog{tb: listener{t, &said}}
	for _, line := range []string{"panic\n", "late\n"} {
		if n, err := c.Write([]byte(line)); n != len(line) || err != nil {
			t.Errorf("wrote %d bytes of %q: %v", n, line, err)
		}
		c.end()
	}
	if said.String() != "panic\n" {
		t.Errorf("got %q", &said)
	}
}

// listener is a test whose output is kept.
type listener struct {
	testing.TB
	said io.Writer
}

// Output implements testing.TB.
func (l listener) Output() io.Writer { return l.said }
