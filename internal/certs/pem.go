package certs

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
)

// PEM returns a certificate, followed by those that are sent with it, and its
// key, as servers and clients read them from files; the key is in PKCS #8. The
// error is that of encoding the key.
func PEM(c tls.Certificate) (chain, key []byte, err error) {
	der, err := x509.MarshalPKCS8PrivateKey(c.PrivateKey)
	if err != nil {
		return nil, nil, err
	}
	for _, certificate := range c.Certificate {
		chain = append(chain, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})...)
	}
	return chain, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}
