package transport

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/gatehouse/internal/conformance/probe"
)

// chainsOf returns the chains from a server's certificate to one that the
// webhook's configuration trusts: one of the caBundle or, without one, a root of
// the system. The CA of a kubeconfig (S-278) is not known here.
//
// Only signatures are verified, not names, dates and usage. There are no chains
// and no error if the server has a certificate with a SHA-1 signature, which
// cannot be verified: C-TLS-SHA1 reports it.
func chainsOf(w *probe.Webhook, s *probe.Server) ([][]*x509.Certificate, error) {
	roots, err := rootsOf(w.ClientConfig.CABundle)
	if err != nil {
		return nil, err
	}
	intermediates := x509.NewCertPool()
	for _, c := range s.Certificates[1:] {
		intermediates.AddCert(withoutDates(c))
	}
	chains, err := withoutDates(s.Certificates[0]).Verify(x509.VerifyOptions{
		Roots: roots, Intermediates: intermediates, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	})
	if err != nil && slices.ContainsFunc(s.Certificates, isSHA1) {
		return nil, nil
	}
	for _, chain := range chains {
		for i := range chain {
			chain[i] = withDates(chain[i])
		}
	}
	return chains, err
}

// rootsOf returns the certificates of a bundle, or those of the system if it is
// empty.
func rootsOf(bundle []byte) (*x509.CertPool, error) {
	if len(bundle) == 0 {
		roots, err := x509.SystemCertPool()
		if err != nil {
			return nil, fmt.Errorf("reading the roots of this system: %w", err)
		}
		return roots, nil
	}
	roots, empty := x509.NewCertPool(), true
	for block, rest := pem.Decode(bundle); block != nil; block, rest = pem.Decode(rest) {
		// Invalid certificates are ignored, as by x509.CertPool.
		if c, err := x509.ParseCertificate(block.Bytes); err == nil && block.Type == "CERTIFICATE" {
			roots.AddCert(withoutDates(c))
			empty = false
		}
	}
	if empty {
		return nil, errors.New("the caBundle has no certificate in PEM")
	}
	return roots, nil
}

// withoutDates returns a copy that is valid at any time for
// x509.Certificate.Verify, which reads the fields rather than the signed bytes.
func withoutDates(c *x509.Certificate) *x509.Certificate {
	copied := *c
	copied.NotBefore, copied.NotAfter = time.Time{}, time.Date(
		9999,
		time.December,
		31,
		0,
		0,
		0,
		0,
		time.UTC,
	)
	return &copied
}

// withDates returns the certificate with its own dates.
func withDates(c *x509.Certificate) *x509.Certificate {
	read, err := x509.ParseCertificate(c.Raw)
	if err != nil {
		return c // unreachable: it was parsed before
	}
	return read
}

// isSHA1 reports whether a certificate has a SHA-1 signature that is verified,
// unlike that of a self-signed certificate.
func isSHA1(c *x509.Certificate) bool {
	switch c.SignatureAlgorithm {
	case x509.SHA1WithRSA, x509.DSAWithSHA1, x509.ECDSAWithSHA1:
		return string(c.RawIssuer) != string(c.RawSubject)
	}
	return false
}
