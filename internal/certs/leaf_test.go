package certs_test

import (
	"crypto/x509"
	"testing"
	"time"

	"example.com/gatehouse/internal/certs"
)

// TestIssue asks the standard library's verifier what is wrong with each kind.
func TestIssue(t *testing.T) {
	t.Parallel()
	year := func(y int) time.Time { return time.Date(y, time.January, 1, 0, 0, 0, 0, time.UTC) }
	rows := []struct {
		name, why string
		leaf      certs.Leaf
		wantErr   string
	}{
		{
			name: "zero value with a name",
			why:  "a Leaf that says nothing special is what Server makes",
			leaf: certs.Leaf{Names: []string{"a.webhooks.svc"}},
		},
		{
			name:    "expired",
			why:     "the most common certificate fault of all",
			leaf:    certs.Leaf{Names: []string{"a.webhooks.svc"}, NotBefore: year(1998), NotAfter: year(1999)},
			wantErr: "certificate has expired or is not yet valid",
		},
		{
			name:    "not yet valid",
			why:     "clocks that differ look like this",
			leaf:    certs.Leaf{Names: []string{"a.webhooks.svc"}, NotBefore: year(2098)},
			wantErr: "certificate has expired or is not yet valid",
		},
		{
			name:    "common name only",
			why:     "clients stopped looking at the common name",
			leaf:    certs.Leaf{CommonName: "a.webhooks.svc"},
			wantErr: "relies on legacy Common Name field",
		},
		{
			name:    "client's",
			why:     "a certificate for clients does not identify a server",
			leaf:    certs.Leaf{Names: []string{"a.webhooks.svc"}, Client: true},
			wantErr: "incompatible key usage",
		},
		{
			name: "small RSA key",
			why:  "the verifier has no opinion on the size of keys",
			leaf: certs.Leaf{Names: []string{"a.webhooks.svc"}, RSABits: 1024},
		},
		{
			name:    "SHA-1",
			why:     "signatures over SHA-1 can be forged",
			leaf:    certs.Leaf{Names: []string{"a.webhooks.svc"}, SHA1: true},
			wantErr: "insecure algorithm",
		},
		{
			name:    "impossible key",
			why:     "the generator's error must surface",
			leaf:    certs.Leaf{Names: []string{"a.webhooks.svc"}, RSABits: 1},
			wantErr: "generating a key",
		},
	}
	seen := map[string]bool{}
	authority := newAuthority(t)
	for _, row := range rows {
		if row.why == "" || seen[row.name] {
			t.Fatalf("row %q: every row needs a unique name and a reason", row.name)
		}
		seen[row.name] = true
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			certificate, err := authority.Issue(row.leaf)
			if err == nil {
				_, err = certificate.Leaf.Verify(x509.VerifyOptions{DNSName: "a.webhooks.svc", Roots: pool(t, authority)})
			}
			if !matches(err, row.wantErr) {
				t.Errorf("got error %v, want %q (%s)", err, row.wantErr, row.why)
			}
		})
	}
}

func TestIntermediate(t *testing.T) {
	t.Parallel()
	root := newAuthority(t)
	intermediate, err := root.Intermediate("between")
	if err != nil {
		t.Fatalf("Intermediate: %v", err)
	}
	certificate, err := intermediate.Server("a.webhooks.svc")
	if err != nil {
		t.Fatalf("Server: %v", err)
	}
	if n := len(certificate.Certificate); n != 2 {
		t.Fatalf("%d certificates are sent, want the server's and the intermediate's", n)
	}
	between := x509.NewCertPool()
	options := x509.VerifyOptions{Roots: pool(t, root), Intermediates: between}
	if _, err := certificate.Leaf.Verify(options); !matches(err, "unknown authority") {
		t.Errorf("without the intermediate: got error %v", err)
	}
	parsed, err := x509.ParseCertificate(certificate.Certificate[1])
	if err != nil {
		t.Fatal(err)
	}
	between.AddCert(parsed)
	if _, err := certificate.Leaf.Verify(options); err != nil {
		t.Errorf("with the intermediate: %v", err)
	}
}
