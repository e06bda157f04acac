package certs

import (
	"crypto/tls"
	"sync"
)

// Issuer makes a server's certificate for whatever name a client asks for, once
// for each: it is for servers that stand in for others whose names are not
// known beforehand. It keeps all of them, so clients that ask for ever more
// names are not to be let near it. Its methods may be called at any time.
type Issuer struct {
	authority *Authority

	mu     sync.Mutex
	issued map[string]*tls.Certificate // by the name that was asked for
}

// Issuer returns what issues the authority's certificates to those who ask.
func (a *Authority) Issuer() *Issuer {
	return &Issuer{authority: a, issued: map[string]*tls.Certificate{}}
}

// Certificate is what tls.Config.GetCertificate wants. Clients that call an
// address ask for no name, and get a certificate for the loopback addresses.
func (i *Issuer) Certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if made := i.issued[hello.ServerName]; made != nil {
		return made, nil
	}
	names := []string{hello.ServerName}
	if hello.ServerName == "" {
		names = []string{"127.0.0.1", "::1", "localhost"}
	}
	made, err := i.authority.Server(names...)
	if err != nil {
		return nil, err
	}
	i.issued[hello.ServerName] = &made
	return &made, nil
}
