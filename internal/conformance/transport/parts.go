package transport

import (
	"crypto/x509"
	"fmt"
	"slices"
	"time"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

func vouchedFor(w *probe.Webhook, s *probe.Server, r *check.Record) {
	r.Saw()
	t, err := trustOf(w, s)
	if err == nil {
		_, err = t.chains(s.Certificates[0])
	}
	switch {
	case err == nil:
	case len(w.ClientConfig.CABundle) == 0:
		r.Find(check.Finding{}, "there is no caBundle, and no root of this system vouches for the certificate: %v", err)
	default:
		r.Find(check.Finding{}, "the caBundle does not vouch for the certificate: %v", err)
	}
}

// throughout returns a check of something that all certificates of one chain need. The
// part says what is wrong with a certificate; it is empty if nothing is.
func throughout(part func(*x509.Certificate) string) func(*probe.Webhook, *probe.Server, *check.Record) {
	return func(w *probe.Webhook, s *probe.Server, r *check.Record) {
		r.Saw()
		all := chainsOf(w, s)
		bad := func(c *x509.Certificate) bool { return part(c) != "" }
		for _, chain := range all {
			if !slices.ContainsFunc(chain, bad) {
				return
			}
		}
		for i, c := range all[0] {
			whose := "the server's certificate"
			if i > 0 {
				whose = fmt.Sprintf("the certificate of %q", c.Subject)
			}
			if bad(c) {
				r.Find(check.Finding{}, "%s %s", whose, part(c))
			}
		}
	}
}

// chainsOf returns the ways from the server's certificate to one that is trusted or, if
// there are none, the server's certificate alone.
func chainsOf(w *probe.Webhook, s *probe.Server) [][]*x509.Certificate {
	alone := [][]*x509.Certificate{s.Certificates[:1]}
	t, err := trustOf(w, s)
	if err != nil {
		return alone
	}
	if found, err := t.chains(s.Certificates[0]); err == nil && len(found) > 0 {
		return found
	}
	return alone
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

// signature leaves out those that are signed by themselves: they are trusted or not, but
// not because of that.
func signature(c *x509.Certificate) string {
	if hasSHA1(c) && string(c.RawIssuer) != string(c.RawSubject) {
		return "is signed over SHA-1"
	}
	return ""
}

func usage(c *x509.Certificate) string {
	unlimited := len(c.ExtKeyUsage)+len(c.UnknownExtKeyUsage) == 0
	if unlimited || slices.Contains(c.ExtKeyUsage, x509.ExtKeyUsageServerAuth) || slices.Contains(c.ExtKeyUsage, x509.ExtKeyUsageAny) {
		return ""
	}
	return "is not for servers"
}
