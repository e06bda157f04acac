package apiserver

import (
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"

	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/authenticatorfactory"
	"k8s.io/apiserver/pkg/authentication/request/union"
	certificates "k8s.io/apiserver/pkg/authentication/request/x509"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/server/dynamiccertificates"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/certs"
)

// administrator is the user that the server's clients are.
const administrator = "gatehouse:admin"

// identity is what server and clients know each other by. It lives as long as
// the server and is in memory only.
type identity struct {
	bundle      []byte
	certificate dynamiccertificates.CertKeyContentProvider
	// token is the administrator's, loopback the server's own.
	token, loopback string
	// admin is the administrator's other way in: a certificate and its key.
	admin pair
	// hosts is what the server is called.
	hosts hosts
	// roots and clientCA are the authority: the one decides who is trusted, the
	// other has the server ask clients for a certificate.
	roots    *x509.CertPool
	clientCA dynamiccertificates.CAContentProvider
}

// pair is a certificate and its key, as PEM.
type pair struct{ certificate, key []byte }

// newIdentity makes an identity for a server that listens at a host. An empty
// token stands for a random one.
func newIdentity(host, token string) (identity, error) {
	authority, err := certs.NewAuthority("gatehouse API server")
	if err != nil {
		return identity{}, err
	}
	certificate, err := serving(authority, host)
	if err != nil {
		return identity{}, err
	}
	issued, err := authority.Issue(certs.Leaf{CommonName: administrator, Client: true})
	if err != nil {
		return identity{}, err
	}
	admin, err := encode(issued)
	if err != nil {
		return identity{}, err
	}
	if token == "" {
		token = rand.Text()
	}
	i := identity{bundle: authority.Bundle(), certificate: certificate, token: token, loopback: rand.Text(), admin: admin, hosts: newHosts(host)}
	return i, i.trust()
}

// trust has the server accept certificates of its authority.
func (i *identity) trust() error {
	i.roots = x509.NewCertPool()
	i.roots.AppendCertsFromPEM(i.bundle)
	var err error
	i.clientCA, err = dynamiccertificates.NewStaticCAContent("client CA", i.bundle)
	return err
}

// serving issues the certificate under which the server is reached.
func serving(authority *certs.Authority, host string) (dynamiccertificates.CertKeyContentProvider, error) {
	names, err := servingNames(host)
	if err != nil {
		return nil, err
	}
	issued, err := authority.Server(names...)
	if err != nil {
		return nil, err
	}
	p, err := encode(issued)
	if err != nil {
		return nil, err
	}
	return dynamiccertificates.NewStaticCertKeyContent("serving certificate", p.certificate, p.key)
}

// servingNames are those that clients may use for a server at a host: its own, and
// if it listens everywhere the addresses of the machine.
func servingNames(host string) ([]string, error) {
	names := []string{"127.0.0.1", "::1", "localhost"}
	if !everywhere(host) {
		return append(names, host), nil
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return nil, fmt.Errorf("looking for the machine's addresses: %w", err)
	}
	for _, a := range addresses {
		if network, ok := a.(*net.IPNet); ok {
			names = append(names, network.IP.String())
		}
	}
	return names, nil
}

func encode(c tls.Certificate) (pair, error) {
	chain, key, err := certs.PEM(c)
	if err != nil {
		return pair{}, fmt.Errorf("encoding a key: %w", err)
	}
	return pair{certificate: chain, key: key}, nil
}

// authenticator knows the administrator's token, and certificates of the server's
// own authority, which has issued one for a client. The generic server adds its
// own token.
func (i identity) authenticator() authenticator.Request {
	admin := &user.DefaultInfo{Name: administrator, Groups: []string{user.SystemPrivilegedGroup, user.AllAuthenticated}}
	options := x509.VerifyOptions{Roots: i.roots, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
	known := func([]*x509.Certificate) (*authenticator.Response, bool, error) {
		return &authenticator.Response{User: admin}, true, nil
	}
	return union.New(
		authenticatorfactory.NewFromTokens(map[string]*user.DefaultInfo{i.token: admin}, nil),
		certificates.New(options, certificates.UserConversionFunc(known)),
	)
}

// client returns how the holder of a token reaches the server at an address.
// Clients are not slowed down: client-go would hold them to five requests a
// second, out of respect for servers that others use too.
func (i identity) client(address, token string) *rest.Config {
	return &rest.Config{
		Host:            "https://" + reachable(address),
		BearerToken:     token,
		TLSClientConfig: rest.TLSClientConfig{CAData: i.bundle},
		QPS:             -1,
	}
}
