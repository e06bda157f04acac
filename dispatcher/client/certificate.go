package client

import (
	"crypto/tls"
	"os"

	"k8s.io/client-go/transport"
)

// readCertificateLate has the files of a client certificate read when a
// connection is opened, so that a renewed certificate is used by the next one.
// Files that are missing now are an error of the endpoint, while those that hold
// no certificate are one of the handshake, with client-go's texts for both.
//
// client-go watches such files with a goroutine that ends when the garbage
// collector finds its transport, which is not when the endpoint is closed. Data
// takes precedence over files, as there.
func readCertificateLate(c *transport.TLSConfig) error {
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
		return &cert, here(err)
	}}
	return nil
}
