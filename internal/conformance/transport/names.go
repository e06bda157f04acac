package transport

import (
	"crypto/x509"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

func hasName(_ *probe.Webhook, s *probe.Server, r *check.Record) {
	own := s.Certificates[0]
	if !named(own) {
		r.Lacks("the certificate has no alternative names")
		return
	}
	r.Saw()
	if err := own.VerifyHostname(s.Host); err != nil {
		r.Find(check.Finding{}, "%v", err)
	}
}

func hasAlternativeNames(_ *probe.Webhook, s *probe.Server, r *check.Record) {
	r.Saw()
	if own := s.Certificates[0]; !named(own) {
		r.Find(check.Finding{}, "the certificate has no alternative names, only the common name %q", own.Subject.CommonName)
	}
}

// named reports whether a certificate has subject alternative names of any kind.
func named(c *x509.Certificate) bool {
	for i := range c.Extensions {
		if c.Extensions[i].Id.String() == "2.5.29.17" {
			return true
		}
	}
	return false
}
