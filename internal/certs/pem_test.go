package certs_test

import (
	"crypto/tls"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/certs"
)

// TestPEM has the standard library read what was written.
func TestPEM(t *testing.T) {
	t.Parallel()
	intermediate, err := newAuthority(t).Intermediate("between")
	if err != nil {
		t.Fatal(err)
	}
	issued, err := intermediate.Server("a.webhooks.svc")
	if err != nil {
		t.Fatal(err)
	}
	chain, key, err := certs.PEM(issued)
	if err != nil {
		t.Fatal(err)
	}
	// It also sees whether the key is that of the first certificate.
	read, err := tls.X509KeyPair(chain, key)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(issued.Certificate, read.Certificate); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, _, err := certs.PEM(tls.Certificate{PrivateKey: "none"}); err == nil {
		t.Error("what is no key is written")
	}
}
