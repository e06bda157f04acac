package webhooks

import (
	"crypto/tls"
	"time"

	"example.com/gatehouse/internal/certs"
)

// tlsTwins have defects in the policy's certificate, or in TLS.
func tlsTwins() []Twin {
	return []Twin{
		{"C-TLS-CHAIN", "The certificate is signed by an unknown authority.", func(s *Server) {
			s.certifyPolicy(func(_ *certs.Authority, service string) (tls.Certificate, error) {
				other, err := certs.NewAuthority("another authority")
				if err != nil {
					return tls.Certificate{}, err
				}
				return other.Server(service)
			})
		}},
		{"C-TLS-NAME", "The certificate has the service's name without the svc.", func(s *Server) {
			s.issuePolicy(certs.Leaf{Names: []string{"validating.webhooks"}})
		}},
		{"C-TLS-EXPIRY", "The certificate was not renewed.", func(s *Server) {
			s.issuePolicy(certs.Leaf{Names: []string{validating}, NotAfter: time.Now().Add(-time.Hour)})
		}},
		{"C-TLS-SHA1", "The certificate is signed over SHA-1.", func(s *Server) {
			s.issuePolicy(certs.Leaf{Names: []string{validating}, SHA1: true})
		}},
		{"C-TLS-COMMON-NAME", "The certificate has the name as its common name only.", func(s *Server) {
			s.issuePolicy(certs.Leaf{CommonName: validating})
		}},
		{"C-TLS-KEY-USAGE", "The certificate is one for clients.", func(s *Server) {
			s.issuePolicy(certs.Leaf{Names: []string{validating}, Client: true})
		}},
		{"C-TLS-12", "It supports TLS 1.3 only.", func(s *Server) {
			s.tls.MinVersion = tls.VersionTLS13
		}},
		{"C-TLS-13", "It supports TLS 1.2 at most.", func(s *Server) {
			s.tls.MaxVersion = tls.VersionTLS12
		}},
	}
}

// issuePolicy issues the policy's certificate as described.
func (s *Server) issuePolicy(leaf certs.Leaf) {
	s.certifyPolicy(func(a *certs.Authority, _ string) (tls.Certificate,
		error) {
		return a.Issue(leaf)
	})
}

// certifyPolicy replaces the function that creates the policy's certificate.
func (s *Server) certifyPolicy(instead func(*certs.Authority, string) (tls.Certificate, error)) {
	certify := s.certify
	s.certify = func(a *certs.Authority, service string) (tls.Certificate, error) {
		if service == validating {
			return instead(a, service)
		}
		return certify(a, service)
	}
}
