package certs_test

import (
	"crypto/tls"
	"crypto/x509"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

// TestServer asks the standard library's verifier, which is the one that
// clients use, whether a certificate is good for a host.
func TestServer(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		names   []string
		host    string
		wantErr string
	}
	rows := []test{
		{
			row:   row{"service name", "services are verified under <name>.<namespace>.svc"},
			names: []string{"a.webhooks.svc", "b.webhooks.svc"},
			host:  "b.webhooks.svc",
		},
		{
			row:   row{"wildcard", "one certificate may serve a namespace of services"},
			names: []string{"*.webhooks.svc"},
			host:  "any.webhooks.svc",
		},
		{
			row:   row{"IPv4 address", "test servers are reached at 127.0.0.1"},
			names: []string{"a.webhooks.svc", "127.0.0.1"},
			host:  "127.0.0.1",
		},
		{
			row:   row{"IPv6 address", "IPv6 loopback is written in brackets when verified"},
			names: []string{"::1"},
			host:  "[::1]",
		},
		{
			row:     row{"another service", "a certificate is good for its own names only"},
			names:   []string{"a.webhooks.svc"},
			host:    "b.webhooks.svc",
			wantErr: "certificate is valid for a.webhooks.svc, not b.webhooks.svc",
		},
		{
			row:     row{"address that was not asked for", "a DNS name does not cover the address that it is served from"},
			names:   []string{"a.webhooks.svc"},
			host:    "127.0.0.1",
			wantErr: "doesn't contain any IP SANs",
		},
	}
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		authority := newAuthority(t)
		certificate, err := authority.Server(tc.names...)
		if err != nil {
			t.Fatalf("Server: %v", err)
		}
		_, err = certificate.Leaf.Verify(x509.VerifyOptions{DNSName: tc.host, Roots: pool(t, authority)})
		if !matches(err, tc.wantErr) {
			t.Errorf("verifying for %q: got error %v, want %q (%s)", tc.host, err, tc.wantErr, tc.Why())
		}
	})
}

func TestServerRefuses(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		names   []string
		wantErr string
	}
	rows := []test{
		{
			row:     row{"no names", "such a certificate would be good for nothing"},
			wantErr: `making a server certificate for []: no names given`,
		},
		{
			row:     row{"empty name", "a variable was not set"},
			names:   []string{"a.webhooks.svc", ""},
			wantErr: `making a server certificate for ["a.webhooks.svc" ""]: a name is empty`,
		},
		{
			row:     row{"name that is not ASCII", "certificates hold IA5 strings; the encoder's error must surface"},
			names:   []string{"café.webhooks.svc"},
			wantErr: "cannot be encoded as an IA5String",
		},
	}
	authority := newAuthority(t)
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		if _, err := authority.Server(tc.names...); !matches(err, tc.wantErr) {
			t.Errorf("got error %v, want %q (%s)", err, tc.wantErr, tc.Why())
		}
	})
}

// TestClocks makes certificates under the actual and under the virtual clock
// and verifies each under both, because a fixture may cross from one to the
// other.
func TestClocks(t *testing.T) {
	t.Parallel()
	actual, virtual := newChain(t), chain{}
	synctest.Test(t, func(t *testing.T) {
		if year := time.Now().UTC().Year(); year != 2000 {
			t.Fatalf("the virtual clock starts in %d: choose another start of validity", year)
		}
		virtual = newChain(t)
		actual.verify(t, "actual under virtual")
		virtual.verify(t, "virtual under virtual")
	})
	actual.verify(t, "actual under actual")
	virtual.verify(t, "virtual under actual")
}

func TestCertificatesAreDistinct(t *testing.T) {
	t.Parallel()
	authority := newAuthority(t)
	serials := map[string]bool{}
	for range 3 {
		certificate, err := authority.Server("a.webhooks.svc")
		if err != nil {
			t.Fatalf("Server: %v", err)
		}
		serials[certificate.Leaf.SerialNumber.String()] = true
	}
	if diff := cmp.Diff(3, len(serials)); diff != "" {
		t.Errorf("different serial numbers (-want +got):\n%s", diff)
	}
}

func TestForeignAuthority(t *testing.T) {
	t.Parallel()
	// Both have the same name: only the key may tell them apart.
	ours, theirs := newAuthority(t), newAuthority(t)
	certificate, err := theirs.Server("a.webhooks.svc")
	if err != nil {
		t.Fatalf("Server: %v", err)
	}
	_, err = certificate.Leaf.Verify(x509.VerifyOptions{Roots: pool(t, ours)})
	if !matches(err, "certificate signed by unknown authority") {
		t.Errorf("verifying a foreign certificate: got error %v", err)
	}
}

// chain is a certificate with the authority to verify it by.
type chain struct {
	authority   *certs.Authority
	certificate tls.Certificate
}

func newChain(t *testing.T) chain {
	t.Helper()
	authority := newAuthority(t)
	certificate, err := authority.Server("a.webhooks.svc")
	if err != nil {
		t.Fatalf("Server: %v", err)
	}
	return chain{authority, certificate}
}

func (c chain) verify(t *testing.T, when string) {
	t.Helper()
	if _, err := c.certificate.Leaf.Verify(x509.VerifyOptions{Roots: pool(t, c.authority)}); err != nil {
		t.Errorf("%s: %v", when, err)
	}
}

func newAuthority(t *testing.T) *certs.Authority {
	t.Helper()
	authority, err := certs.NewAuthority("test authority")
	if err != nil {
		t.Fatalf("NewAuthority: %v", err)
	}
	return authority
}

func pool(t *testing.T, authority *certs.Authority) *x509.CertPool {
	t.Helper()
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(authority.Bundle()) {
		t.Fatal("the bundle holds no certificate")
	}
	return roots
}

// matches reports whether err contains want, or is nil when want is empty.
func matches(err error, want string) bool {
	if want == "" {
		return err == nil
	}
	return err != nil && strings.Contains(err.Error(), want)
}
