package certs_test

import (
	"crypto/tls"
	"crypto/x509"
	"testing"

	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestIssuer(t *testing.T) {
	t.Parallel()
	authority, err := certs.NewAuthority("issuer")
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority.Bundle())
	issuer := authority.Issuer()
	type test struct {
		row
		asked, name string
	}
	testtable.Run(t, []test{
		{row{"service", "its name is not known beforehand"}, "hook.webhooks.svc", "hook.webhooks.svc"},
		{row{"address", "clients ask for names only"}, "", "127.0.0.1"},
		{row{"address of IPv6", "there are two loopback addresses"}, "", "::1"},
	}, func(t *testing.T, tc test) {
		got, err := issuer.Certificate(&tls.ClientHelloInfo{ServerName: tc.asked})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := got.Leaf.Verify(x509.VerifyOptions{DNSName: tc.name, Roots: roots}); err != nil {
			t.Error(err)
		}
		if again, err := issuer.Certificate(&tls.ClientHelloInfo{ServerName: tc.asked}); again != got || err != nil {
			t.Errorf("the second one is another, or %v", err)
		}
	})
}
