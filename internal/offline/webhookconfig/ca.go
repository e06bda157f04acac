package webhookconfig

import (
	"crypto/x509"
	"fmt"
	"os"
)

// ReadCA returns the certificates in a file, as PEM, or nil if the file is "".
// The error is that of package os if the file cannot be read; or else that it
// holds none.
func ReadCA(file string) ([]byte, error) {
	if file == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if !x509.NewCertPool().AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s: holds no certificate in PEM", file)
	}
	return pem, nil
}
