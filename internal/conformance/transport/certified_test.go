package transport

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/internal/certs"
)

// name is that of the service.
const name = "hook.shop.svc"

// certified is a server's certificate and where its webhook is configured to
// be.
type certified struct {
	certificate tls.Certificate
	where       *registrationv1.WebhookClientConfig
}

// leaf has a service with such a certificate, and its caBundle.
func leaf(l certs.Leaf) func(*testing.T) certified {
	return func(t *testing.T) certified {
		ca := authority(t)
		return certified{issue(t, ca, l), service(ca.Bundle())}
	}
}

// at has a webhook with a URL.
func at(url, name string) func(*testing.T) certified {
	return func(t *testing.T) certified {
		c := leaf(certs.Leaf{Names: []string{name}})(t)
		c.where.Service, c.where.URL = nil, &url
		return c
	}
}

// intermediate has an authority between the certificate and the caBundle, which
// the server sends or does not.
func intermediate(sent bool) func(*testing.T) certified {
	return func(t *testing.T) certified {
		root := authority(t)
		between, err := root.Intermediate("between")
		if err != nil {
			t.Fatal(err)
		}
		certificate := issue(t, between, certs.Leaf{Names: []string{name}})
		if !sent {
			certificate.Certificate = certificate.Certificate[:1]
		}
		return certified{certificate, service(root.Bundle())}
	}
}

// pinned has the certificate itself for its caBundle.
func pinned(t *testing.T) certified {
	c := leaf(certs.Leaf{Names: []string{name}})(t)
	c.where.CABundle = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.certificate.Certificate[0]})
	return c
}

func rotated(t *testing.T) certified {
	c := leaf(certs.Leaf{Names: []string{name}})(t)
	c.where.CABundle = []byte(string(authority(t).Bundle()) + string(c.where.CABundle))
	return c
}

func foreign(t *testing.T) certified {
	c := leaf(certs.Leaf{Names: []string{name}})(t)
	another, err := certs.NewAuthority("another authority")
	if err != nil {
		t.Fatal(err)
	}
	c.where.CABundle = another.Bundle()
	return c
}

func unbundled(t *testing.T) certified {
	c := leaf(certs.Leaf{Names: []string{name}})(t)
	c.where.CABundle = nil
	return c
}

func keyBundle(t *testing.T) certified {
	c := leaf(certs.Leaf{Names: []string{name}})(t)
	c.where.CABundle = []byte(strings.ReplaceAll(string(c.where.CABundle), "CERTIFICATE", "PUBLIC KEY"))
	return c
}

func issue(t *testing.T, ca *certs.Authority, l certs.Leaf) tls.Certificate {
	t.Helper()
	certificate, err := ca.Issue(l)
	if err != nil {
		t.Fatal(err)
	}
	return certificate
}

// issued has a chain of three whose upper two are changed, of which the server
// sends the lower two. It is for what package certs does not make.
func issued(change func(root, between *x509.Certificate)) func(*testing.T) certified {
	return func(t *testing.T) certified {
		root, between, own := template("root", true), template("between", true), template("own", false)
		own.DNSNames = []string{name}
		change(root, between)
		rootKey, betweenKey, ownKey := key(t), key(t), key(t)
		anchor := sign(t, root, root, &rootKey.PublicKey, rootKey)
		middle := sign(t, between, root, &betweenKey.PublicKey, rootKey)
		end := sign(t, own, between, &ownKey.PublicKey, betweenKey)
		bundle := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: anchor})
		return certified{tls.Certificate{Certificate: [][]byte{end, middle}, PrivateKey: ownKey}, service(bundle)}
	}
}

func template(name string, issues bool) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Date(1999, time.January, 1, 0, 0, 0, 0, time.UTC), NotAfter: now.Add(time.Hour),
		IsCA: issues, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
}

func key(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func sign(t *testing.T, c, parent *x509.Certificate, public *ecdsa.PublicKey, by *ecdsa.PrivateKey) []byte {
	t.Helper()
	raw, err := x509.CreateCertificate(rand.Reader, c, parent, public, by)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
