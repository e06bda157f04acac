package certs

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"time"
)

// Authority is a certificate authority whose key exists in memory only. Make
// one with NewAuthority.
type Authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	chain       [][]byte // of an intermediate: what servers send besides their own
}

// NewAuthority makes an authority with a fresh key. The name is its common
// name, which handshake errors show.
func NewAuthority(name string) (*Authority, error) {
	key, err := newKey()
	if err != nil {
		return nil, fmt.Errorf("making certificate authority %q: %w", name, err)
	}
	template := newAuthorityTemplate(name)
	certificate, err := sign(template, template, &key.PublicKey, key)
	if err != nil {
		return nil, fmt.Errorf("making certificate authority %q: %w", name, err)
	}
	return &Authority{certificate: certificate, key: key}, nil
}

// Bundle returns the authority's certificate as PEM, for a caBundle, a
// --ca-file or an x509.CertPool. The slice belongs to the caller.
func (a *Authority) Bundle() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.certificate.Raw})
}

// Server returns a certificate with a fresh key for a server that clients reach
// under any of the names: DNS names, "*."-wildcards and IP addresses, at least
// one. It does not contain the authority's certificate, because clients have to
// know that one anyway.
func (a *Authority) Server(names ...string) (tls.Certificate, error) {
	certificate, err := a.server(names)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("making a server certificate for %q: %w", names, err)
	}
	return certificate, nil
}

func (a *Authority) server(names []string) (tls.Certificate, error) {
	if len(names) == 0 {
		return tls.Certificate{}, errors.New("no names given")
	}
	return a.issue(Leaf{Names: names})
}

// addNames sorts the names into the two kinds of alternative names, because
// clients compare an IP address with the one kind only.
func addNames(template *x509.Certificate, names []string) error {
	for _, name := range names {
		if name == "" {
			return errors.New("a name is empty")
		}
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
			continue
		}
		template.DNSNames = append(template.DNSNames, name)
	}
	return nil
}

// newTemplate returns what all certificates have in common. It leaves the
// serial number to x509.CreateCertificate, which draws a random one.
func newTemplate(commonName string) *x509.Certificate {
	return &x509.Certificate{
		Subject:   pkix.Name{CommonName: commonName},
		NotBefore: time.Date(1999, time.December, 31, 0, 0, 0, 0, time.UTC),
		NotAfter:  time.Date(2099, time.December, 31, 0, 0, 0, 0, time.UTC),
	}
}

func newAuthorityTemplate(name string) *x509.Certificate {
	template := newTemplate(name)
	template.IsCA = true
	template.BasicConstraintsValid = true
	template.KeyUsage = x509.KeyUsageCertSign
	return template
}

func newKey() (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("generating a key: %w", err)
	}
	return key, nil
}

// sign makes a certificate for the public key and reads it back, so that it has
// the fields that are derived while signing.
func sign(
	template, parent *x509.Certificate, public crypto.PublicKey, key *ecdsa.PrivateKey,
) (*x509.Certificate, error) {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, public, key)
	if err != nil {
		return nil, fmt.Errorf("signing: %w", err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("reading back what was signed: %w", err)
	}
	return certificate, nil
}
