package certs

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"slices"
	"time"
)

// Leaf describes a certificate that need not be one that clients accept. The
// zero value is a server's certificate for no name.
type Leaf struct {
	Names        []string  // as for Authority.Server; there may be none
	CommonName   string    // "" stands for one made from the authority's
	Organization []string  // the groups of the client, for API servers
	NotBefore    time.Time // zero is 1999-12-31
	NotAfter     time.Time // zero is 2099-12-31
	Client       bool      // good for clients, and not for servers
	RSABits      int       // the size of an RSA key; 0 is ECDSA on P-256
	SHA1         bool      // signed over SHA-1 instead of SHA-256
}

// Issue returns a certificate as described, with a fresh key. If the authority
// is an intermediate one, its certificate follows.
func (a *Authority) Issue(leaf Leaf) (tls.Certificate, error) {
	certificate, err := a.issue(leaf)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("issuing a certificate for %q: %w", leaf.Names, err)
	}
	return certificate, nil
}

func (a *Authority) issue(leaf Leaf) (tls.Certificate, error) {
	template, err := a.leafTemplate(leaf)
	if err != nil {
		return tls.Certificate{}, err
	}
	key, err := leaf.newKey()
	if err != nil {
		return tls.Certificate{}, err
	}
	certificate, err := sign(template, a.certificate, key.Public(), a.key)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.Certificate{
		Certificate: slices.Concat([][]byte{certificate.Raw}, a.chain),
		PrivateKey:  key,
		Leaf:        certificate,
	}, nil
}

func (a *Authority) leafTemplate(leaf Leaf) (*x509.Certificate, error) {
	// The common name differs from the authority's: a certificate whose issuer
	// and subject are equal counts as self-signed.
	template := newTemplate(a.certificate.Subject.CommonName + " server")
	if leaf.CommonName != "" {
		template.Subject.CommonName = leaf.CommonName
	}
	template.Subject.Organization = leaf.Organization
	if !leaf.NotBefore.IsZero() {
		template.NotBefore = leaf.NotBefore
	}
	if !leaf.NotAfter.IsZero() {
		template.NotAfter = leaf.NotAfter
	}
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	if leaf.Client {
		template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	}
	if leaf.SHA1 {
		template.SignatureAlgorithm = x509.ECDSAWithSHA1
	}
	return template, addNames(template, leaf.Names)
}

func (l Leaf) newKey() (crypto.Signer, error) {
	if l.RSABits == 0 {
		return newKey()
	}
	key, err := rsa.GenerateKey(rand.Reader, l.RSABits)
	if err != nil {
		return nil, fmt.Errorf("generating a key: %w", err)
	}
	return key, nil
}

// Intermediate returns an authority that this one has signed. Clients that know
// only this one's Bundle accept its certificates, if they are sent with the
// intermediate's own, as Issue and Server arrange.
func (a *Authority) Intermediate(name string) (*Authority, error) {
	key, err := newKey()
	if err != nil {
		return nil, fmt.Errorf("making intermediate authority %q: %w", name, err)
	}
	certificate, err := sign(newAuthorityTemplate(name), a.certificate, &key.PublicKey, a.key)
	if err != nil {
		return nil, fmt.Errorf("making intermediate authority %q: %w", name, err)
	}
	return &Authority{
		certificate: certificate,
		key:         key,
		chain:       slices.Concat([][]byte{certificate.Raw}, a.chain),
	}, nil
}
