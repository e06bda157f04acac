package client

import (
	"crypto/tls"
	"os"

	"k8s.io/client-go/transport"
)

// reloadClientCertificate makes TLS read the files of a client certificate at each
// handshake, so that the next connection uses a renewed certificate. A missing file is
// an error of the endpoint, a file without a certificate one of the handshake, both with
// client-go's texts. As in client-go, data takes precedence over files.
//
// client-go watches such files on a goroutine that ends when the garbage collector
// finds its transport, which is later than closing the endpoint.
func reloadClientCertificate(c *transport.TLSConfig) error {
	certFile, keyFile := c.CertFile, c.KeyFile
	if certFile == "" || keyFile == "" || len(c.CertData) > 0 || len(c.KeyData) > 0 {
		return nil
	}
	for _, file := range []string{certFile, keyFile} {
		if _, err := os.ReadFile(file); err != nil {
			return err
		}
	}
	c.CertFile, c.KeyFile = "", ""
	c.GetCertHolder = &transport.GetCertHolder{GetCert: func() (*tls.Certificate, error) {
		cert, err := tls.LoadX509KeyPair(certFile, keyFile)
		return &cert, markLocal(err)
	}}
	return nil
}
