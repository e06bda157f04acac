package transport

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"time"

	"example.com/gatehouse/internal/conformance/probe"
)

// trust is who may have signed a certificate.
type trust struct {
	roots, between *x509.CertPool
	// known are the issuers that can be looked at: those that the server sent and those
	// of the caBundle, but not those of the system.
	known []*x509.Certificate
}

// trustOf returns the trust that a webhook's configuration has in a server: the caBundle
// or, without one, the roots of the system. There may be a CA in a kubeconfig besides
// (S-278), which nobody has here.
func trustOf(w *probe.Webhook, s *probe.Server) (*trust, error) {
	t := &trust{between: x509.NewCertPool()}
	bundle := w.ClientConfig.CABundle
	if len(bundle) == 0 {
		var err error
		if t.roots, err = x509.SystemCertPool(); err != nil {
			return nil, fmt.Errorf("reading the roots of this system: %w", err)
		}
	} else if err := t.read(bundle); err != nil {
		return nil, err
	}
	// The last one first, as it has signed the others.
	for i := len(s.Certificates) - 1; i > 0; i-- {
		t.add(s.Certificates[i])
	}
	return t, nil
}

// read makes the certificates of a bundle roots.
func (t *trust) read(bundle []byte) error {
	t.roots = x509.NewCertPool()
	for block, rest := pem.Decode(bundle); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			continue
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			continue // as x509.CertPool does
		}
		t.roots.AddCert(timeless(c))
		t.known = append(t.known, timeless(c))
	}
	if len(t.known) == 0 {
		return errors.New("the caBundle has no certificate in PEM")
	}
	return nil
}

// add adds a certificate that the server sent besides its own.
func (t *trust) add(c *x509.Certificate) {
	c = timeless(c)
	if hasSHA1(c) && t.signedBy(c) {
		// The verifier does not take it for signed, but a root needs no signature.
		t.roots.AddCert(c)
	}
	t.between.AddCert(c)
	t.known = append(t.known, c)
}

// chains verifies who has signed a certificate: not its name, its dates, its usage, and
// not that SHA-1 is too weak for it. There are no chains of certificates that verify only
// because of that.
func (t *trust) chains(c *x509.Certificate) ([][]*x509.Certificate, error) {
	c = timeless(c)
	chains, err := c.Verify(t.options())
	if err != nil && hasSHA1(c) && t.signedBy(c) {
		return nil, nil
	}
	for _, chain := range chains {
		for i := range chain {
			chain[i] = dated(chain[i])
		}
	}
	return chains, err
}

// signedBy reports whether somebody known, who is trusted, has signed a certificate.
func (t *trust) signedBy(c *x509.Certificate) bool {
	for _, issuer := range t.known {
		if string(issuer.RawSubject) != string(c.RawIssuer) || !issuer.IsCA {
			continue
		}
		if issuer.CheckSignature(c.SignatureAlgorithm, c.RawTBSCertificate, c.Signature) != nil {
			continue
		}
		if _, err := issuer.Verify(t.options()); err == nil {
			return true
		}
	}
	return false
}

func (t *trust) options() x509.VerifyOptions {
	return x509.VerifyOptions{Roots: t.roots, Intermediates: t.between, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}}
}

// timeless returns a certificate that is valid at any time, to everybody who looks at the
// fields and not at what was signed, as x509.Certificate.Verify does.
func timeless(c *x509.Certificate) *x509.Certificate {
	copied := *c
	copied.NotBefore, copied.NotAfter = time.Time{}, time.Date(9999, time.December, 31, 0, 0, 0, 0, time.UTC)
	return &copied
}

// dated returns a certificate with its own dates again.
func dated(c *x509.Certificate) *x509.Certificate {
	read, err := x509.ParseCertificate(c.Raw)
	if err != nil {
		return c // it has been read before, so this cannot be
	}
	return read
}

// hasSHA1 reports whether a certificate is signed over SHA-1.
func hasSHA1(c *x509.Certificate) bool {
	switch c.SignatureAlgorithm {
	case x509.SHA1WithRSA, x509.DSAWithSHA1, x509.ECDSAWithSHA1:
		return true
	}
	return false
}
