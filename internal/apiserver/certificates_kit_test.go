package apiserver

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"hash/fnv"
	"math/big"
	"strings"
	"time"

	"example.com/gatehouse/internal/apiserver/registry"
)

// certificates are what samples of certificates.k8s.io contain: a signing
// request in DER and as base64 of its PEM, and the PEM of a CA in JSON.
var certificates = newCertificates()

type certificateData struct{ stub, request, authority string }

func newCertificates() certificateData {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	request, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{}, key)
	if err != nil {
		panic(err)
	}
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour),
		BasicConstraintsValid: true, IsCA: true,
	}
	authority, err := x509.CreateCertificate(rand.Reader, ca, ca, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	encode := base64.StdEncoding.EncodeToString
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: authority})
	return certificateData{
		stub:      encode(request),
		request:   encode(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: request})),
		authority: strings.ReplaceAll(string(text), "\n", `\n`),
	}
}

// nameOf returns a name that an object of a resource may have, made of a name
// that no other object has.
func nameOf(r registry.Resource, name string) string {
	switch r.Plural {
	case "apiservices":
		return "v1." + name
	case "ipaddresses":
		hash := fnv.New32a()
		hash.Write([]byte(name))
		sum := hash.Sum32()
		return fmt.Sprintf("10.%d.%d.%d", sum>>16&0xff, sum>>8&0xff, sum&0xff)
	default:
		return name
	}
}
