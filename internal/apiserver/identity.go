package apiserver

import (
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"

	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/authenticatorfactory"
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
}

func newIdentity() (identity, error) {
	authority, err := certs.NewAuthority("gatehouse API server")
	if err != nil {
		return identity{}, err
	}
	certificate, err := serving(authority)
	if err != nil {
		return identity{}, err
	}
	return identity{authority.Bundle(), certificate, rand.Text(), rand.Text()}, nil
}

// serving issues the certificate under which the server is reached.
func serving(authority *certs.Authority) (dynamiccertificates.CertKeyContentProvider, error) {
	issued, err := authority.Server("127.0.0.1", "localhost")
	if err != nil {
		return nil, err
	}
	key, err := x509.MarshalPKCS8PrivateKey(issued.PrivateKey)
	if err != nil {
		return nil, fmt.Errorf("encoding the server's key: %w", err)
	}
	return dynamiccertificates.NewStaticCertKeyContent("serving certificate",
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: issued.Certificate[0]}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}))
}

// authenticator knows the administrator's token and no other. The generic server
// adds its own.
func (i identity) authenticator() authenticator.Request {
	return authenticatorfactory.NewFromTokens(map[string]*user.DefaultInfo{
		i.token: {Name: administrator, Groups: []string{user.SystemPrivilegedGroup, user.AllAuthenticated}},
	}, nil)
}

// client returns how the holder of a token reaches the server at an address.
// Clients are not slowed down: client-go would hold them to five requests a
// second, out of respect for servers that others use too.
func (i identity) client(address, token string) *rest.Config {
	return &rest.Config{
		Host:            "https://" + address,
		BearerToken:     token,
		TLSClientConfig: rest.TLSClientConfig{CAData: i.bundle},
		QPS:             -1,
	}
}
