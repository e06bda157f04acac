package faultserver

import (
	"crypto/tls"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"example.com/gatehouse/internal/certs"
)

// Certificate names a kind of server certificate.
type Certificate string

// The kinds. A client that verifies certificates rejects all but the good ones;
// Go's client accepts CertificateRSA1024.
const (
	CertificateGood         Certificate = "good"                 // for whatever name or address the client wants
	CertificateChain        Certificate = "chain"                // good, by way of an intermediate authority
	CertificateBrokenChain  Certificate = "missing-intermediate" // the same, but the intermediate is not sent
	CertificateExpired      Certificate = "expired"              // since 1999
	CertificateNotYet       Certificate = "not-yet-valid"        // before 2098
	CertificateWrongName    Certificate = "wrong-name"           // for wrong.invalid
	CertificateIPOnly       Certificate = "ip-only"              // for 192.0.2.1, and no name
	CertificateNoSAN        Certificate = "no-san"               // the name is in the common name only
	CertificateUnknown      Certificate = "unknown-authority"    // signed by another authority
	CertificateForClients   Certificate = "client-only"          // its usage is that of a client
	CertificateRSA1024      Certificate = "rsa-1024"             // with a small key
	CertificateSHA1         Certificate = "sha-1"                // signed over SHA-1
	wrongName                           = "wrong.invalid"
	documentation                       = "192.0.2.1" // an address for examples
	expiredYear, notYetYear             = 1999, 2098
)

// leaves says how each kind is made for a client that wants a name.
func leaves(name string) map[Certificate]certs.Leaf {
	names := []string{name}
	return map[Certificate]certs.Leaf{
		CertificateGood:        {Names: names},
		CertificateChain:       {Names: names},
		CertificateBrokenChain: {Names: names},
		CertificateExpired: {Names: names, NotBefore: newYear(expiredYear - 1),
			NotAfter: newYear(expiredYear)},
		CertificateNotYet:     {Names: names, NotBefore: newYear(notYetYear)},
		CertificateWrongName:  {Names: []string{wrongName}},
		CertificateIPOnly:     {Names: []string{documentation}},
		CertificateNoSAN:      {CommonName: name},
		CertificateUnknown:    {Names: names},
		CertificateForClients: {Names: names, Client: true},
		CertificateRSA1024:    {Names: names, RSABits: 1024},
		CertificateSHA1:       {Names: names, SHA1: true},
	}
}

func newYear(year int) time.Time { return time.Date(year, time.January, 1, 0, 0, 0, 0, time.UTC) }

func certificateKinds() []Certificate { return slices.Collect(maps.Keys(leaves(""))) }

// authorities signs certificates for both origins of a server.
type authorities struct {
	trusted *certs.Authority

	mu               sync.Mutex
	between, foreign *certs.Authority // made when they are first needed
	known            map[wanted]*tls.Certificate
}

// wanted is what a certificate is kept under.
type wanted struct {
	kind Certificate
	name string
}

func newAuthorities() (*authorities, error) {
	trusted, err := certs.NewAuthority("fault server")
	if err != nil {
		return nil, err
	}
	return &authorities{trusted: trusted, known: map[wanted]*tls.Certificate{}}, nil
}

// certificate returns the certificate of a kind for a client that wants a name,
// or an address.
func (a *authorities) certificate(kind Certificate, name string) (*tls.Certificate, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c := a.known[wanted{kind, name}]; c != nil {
		return c, nil
	}
	signer, err := a.signer(kind)
	if err != nil {
		return nil, err
	}
	made, err := signer.Issue(leaves(name)[kind])
	if err != nil {
		return nil, err
	}
	if kind == CertificateBrokenChain {
		made.Certificate = made.Certificate[:1]
	}
	if len(a.known) < maxKnown {
		a.known[wanted{kind, name}] = &made
	}
	return &made, nil
}

// maxKnown bounds what clients that ask for ever new names leave behind.
const maxKnown = 1000

// signer is called with mu held.
func (a *authorities) signer(kind Certificate) (signer *certs.Authority, err error) {
	switch kind {
	case CertificateChain, CertificateBrokenChain:
		if a.between == nil {
			a.between, err = a.trusted.Intermediate("fault server's intermediate")
		}
		return a.between, err
	case CertificateUnknown:
		if a.foreign == nil {
			a.foreign, err = certs.NewAuthority("unknown authority")
		}
		return a.foreign, err
	}
	return a.trusted, nil
}

// config makes the handshake of a connection.
func (t TLS) config(s *Server) (*tls.Config, error) {
	kind := t.Certificate
	if kind == "" {
		kind = CertificateGood
	}
	minimum, err := parseVersion(t.MinVersion, tls.VersionTLS12)
	if err != nil {
		return nil, err
	}
	maximum, err := parseVersion(t.MaxVersion, tls.VersionTLS13)
	if err != nil {
		return nil, err
	}
	config := &tls.Config{
		// An old maximum lowers the minimum, which would exclude everything.
		MinVersion: min(minimum, maximum),
		MaxVersion: maximum,
		NextProtos: t.ALPN,
		GetCertificate: func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
			name := hello.ServerName
			if name == "" {
				name = s.dialled.host(hello.Conn.RemoteAddr())
			}
			return s.authorities.certificate(kind, name)
		},
	}
	if len(t.ALPN) == 0 {
		config.NextProtos = []string{"http/1.1"}
	}
	if t.ClientCertificate {
		config.ClientAuth = tls.RequireAnyClientCert
	}
	return config, nil
}

func parseVersion(version string, otherwise uint16) (uint16, error) {
	known := map[string]uint16{
		"": otherwise, "1.0": tls.VersionTLS10, "1.1": tls.VersionTLS11, "1.2": tls.VersionTLS12, "1.3": tls.VersionTLS13,
	}
	number, ok := known[version]
	if !ok {
		return 0, fmt.Errorf("TLS has no version %q", version)
	}
	return number, nil
}
