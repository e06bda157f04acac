package auth

import (
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"

	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/group"
	"k8s.io/apiserver/pkg/authentication/request/bearertoken"
	"k8s.io/apiserver/pkg/authentication/request/union"
	x509request "k8s.io/apiserver/pkg/authentication/request/x509"
	"k8s.io/apiserver/pkg/authentication/token/tokenfile"
	tokenunion "k8s.io/apiserver/pkg/authentication/token/union"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/server/dynamiccertificates"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/certs"
)

// Administrator is the name of the user who may do everything.
const Administrator = "gatehouse:admin"

// Identity holds the credentials of one server and of its clients.
type Identity struct {
	// Serving is the server's certificate.
	Serving dynamiccertificates.CertKeyContentProvider
	// ClientCA makes the server request client certificates.
	ClientCA dynamiccertificates.CAContentProvider
	// Token authenticates the administrator; LoopbackToken authenticates the
	// server's own clients.
	Token, LoopbackToken string
	// ClientCertificate also authenticates the administrator.
	ClientCertificate KeyPair
	// Origins rejects requests of web pages.
	Origins OriginFilter

	authority *certs.Authority
	caBundle  []byte
	roots     *x509.CertPool
	// frontProxyBundle is the CA of proxies that authenticate their users.
	frontProxyBundle []byte
}

// KeyPair is a certificate and its key, both in PEM.
type KeyPair struct{ Certificate, Key []byte }

// NewIdentity creates the credentials of a server that listens on host. If
// token is "", NewIdentity generates one.
func NewIdentity(host, token string) (Identity, error) {
	authority, err := certs.NewAuthority("gatehouse API server")
	if err != nil {
		return Identity{}, err
	}
	serving, err := newServingCertificate(authority, host)
	if err != nil {
		return Identity{}, err
	}
	admin, err := issueClient(authority, Administrator, user.SystemPrivilegedGroup)
	if err != nil {
		return Identity{}, err
	}
	frontProxy, err := certs.NewAuthority("gatehouse front proxy")
	if err != nil {
		return Identity{}, err
	}
	if token == "" {
		token = rand.Text()
	}
	bundle := authority.Bundle()
	clientCA, err := dynamiccertificates.NewStaticCAContent("client CA", bundle)
	if err != nil {
		return Identity{}, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(bundle)
	return Identity{
		Serving: serving, ClientCA: clientCA, Token: token, LoopbackToken: rand.Text(),
		ClientCertificate: admin, Origins: newOriginFilter(host), authority: authority,
		caBundle: bundle, roots: roots, frontProxyBundle: frontProxy.Bundle(),
	}, nil
}

func newServingCertificate(
	authority *certs.Authority, host string,
) (dynamiccertificates.CertKeyContentProvider, error) {
	names, err := servingNames(host)
	if err != nil {
		return nil, err
	}
	issued, err := authority.Server(names...)
	if err != nil {
		return nil, err
	}
	p, err := encodePEM(issued)
	if err != nil {
		return nil, err
	}
	return dynamiccertificates.NewStaticCertKeyContent("serving certificate", p.Certificate, p.Key)
}

// servingNames returns the names in the serving certificate: the loopback
// names, and host or, if the server listens on all interfaces, their addresses.
func servingNames(host string) ([]string, error) {
	names := []string{"127.0.0.1", "::1", "localhost"}
	if !listensOnAllInterfaces(host) {
		return append(names, host), nil
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return nil, fmt.Errorf("listing the addresses of this machine: %w", err)
	}
	for _, a := range addresses {
		if network, ok := a.(*net.IPNet); ok {
			names = append(names, network.IP.String())
		}
	}
	return names, nil
}

func encodePEM(c tls.Certificate) (KeyPair, error) {
	chain, key, err := certs.PEM(c)
	if err != nil {
		return KeyPair{}, fmt.Errorf("encoding a key: %w", err)
	}
	return KeyPair{Certificate: chain, Key: key}, nil
}

// Authenticator accepts the administrator's token, the tokens of accounts, and
// client certificates of the server's own authority: as in kube-apiserver, the
// common name is the user and the organizations are the groups. audiences are those
// of the server. The generic server adds the loopback token.
func (i Identity) Authenticator(
	audiences authenticator.Audiences, accounts authenticator.Token,
) authenticator.Request {
	admin := &user.DefaultInfo{Name: Administrator, Groups: []string{user.SystemPrivilegedGroup}}
	options := x509.VerifyOptions{
		Roots: i.roots, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	own := authenticator.WrapAudienceAgnosticToken(audiences,
		tokenfile.New(map[string]*user.DefaultInfo{i.Token: admin}))
	return group.NewAuthenticatedGroupAdder(union.New(
		bearertoken.New(tokenunion.New(own, accounts)),
		x509request.New(options, x509request.CommonNameUserConversion),
	))
}

// ClientConfig returns the configuration of a client that authenticates with
// token to a server that listens on address. It disables client-go's rate limit
// of five requests per second, which protects servers that several users share.
func (i Identity) ClientConfig(address, token string) *rest.Config {
	return &rest.Config{
		Host:            "https://" + reachableAddress(address),
		BearerToken:     token,
		TLSClientConfig: rest.TLSClientConfig{CAData: i.caBundle},
		QPS:             -1,
	}
}
