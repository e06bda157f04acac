package transport

import (
	"crypto/x509"
	"fmt"
	"slices"
	"time"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

func checkChain(w *probe.Webhook, s *probe.Server, r *check.Record) {
	r.Checked()
	switch _, err := chainsOf(w, s); {
	case err == nil:
	case len(w.ClientConfig.CABundle) == 0:
		r.Add(check.Finding{}, "there is no caBundle, and no root of this system verifies the certificate: %v", err)
	default:
		r.Add(check.Finding{}, "the caBundle does not verify the certificate: %v", err)
	}
}

// checkWholeChain returns a check of a property that all certificates of one
// chain need. part describes the problem of a certificate; empty if there is
// none.
func checkWholeChain(
	part func(*x509.Certificate) string,
) func(*probe.Webhook, *probe.Server, *check.Record) {
	return func(w *probe.Webhook, s *probe.Server, r *check.Record) {
		r.Checked()
		all, err := chainsOf(w, s)
		switch {
		case err != nil:
			all = [][]*x509.Certificate{s.Certificates[:1]}
		case len(all) == 0:
			all = [][]*x509.Certificate{s.Certificates}
		}
		bad := func(c *x509.Certificate) bool { return part(c) != "" }
		for _, chain := range all {
			if !slices.ContainsFunc(chain, bad) {
				return
			}
		}
		for i, c := range all[0] {
			owner := "the server's certificate"
			if i > 0 {
				owner = fmt.Sprintf("the certificate of %q", c.Subject)
			}
			if bad(c) {
				r.Add(check.Finding{}, "%s %s", owner, part(c))
			}
		}
	}
}

func dates(c *x509.Certificate) string {
	switch now := time.Now(); {
	case now.Before(c.NotBefore):
		return "is not valid before " + c.NotBefore.Format(time.RFC3339)
	case now.After(c.NotAfter):
		return "is not valid after " + c.NotAfter.Format(time.RFC3339)
	}
	return ""
}

func signature(c *x509.Certificate) string {
	if isSHA1(c) {
		return "is signed over SHA-1"
	}
	return ""
}

func usage(c *x509.Certificate) string {
	unlimited := len(c.ExtKeyUsage)+len(c.UnknownExtKeyUsage) == 0
	if unlimited || slices.Contains(c.ExtKeyUsage, x509.ExtKeyUsageServerAuth) ||
		slices.Contains(c.ExtKeyUsage, x509.ExtKeyUsageAny) {
		return ""
	}
	return "is not for servers"
}

func hasName(_ *probe.Webhook, s *probe.Server, r *check.Record) {
	own := s.Certificates[0]
	if !hasSAN(own) {
		r.Missing("the certificate has no alternative names")
		return
	}
	r.Checked()
	if err := own.VerifyHostname(s.Host); err != nil {
		r.Add(check.Finding{}, "%v", err)
	}
}

func hasAlternativeNames(_ *probe.Webhook, s *probe.Server, r *check.Record) {
	r.Checked()
	if own := s.Certificates[0]; !hasSAN(own) {
		r.Add(check.Finding{}, "the certificate has no alternative names, only the common name %q",
			own.Subject.CommonName)
	}
}

// hasSAN reports whether a certificate has subject alternative names.
func hasSAN(c *x509.Certificate) bool {
	for i := range c.Extensions {
		if c.Extensions[i].Id.String() == "2.5.29.17" {
			return true
		}
	}
	return false
}
