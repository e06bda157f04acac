package process

import (
	"crypto/tls"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"example.com/gatehouse/internal/certs"
)

// The files are called as those of a Secret that cert-manager has made.
const (
	certificateFile = "tls.crt"
	keyFile         = "tls.key"
	authorityFile   = "ca.crt"
)

// certificate is what a command serves with, in a folder of its own.
type certificate struct {
	folder string
	bundle []byte // the authority, in PEM
}

// newCertificate makes an authority, a certificate for the names and for the loopback
// addresses, and a folder of files with them, which only the user may enter.
func newCertificate(names []string) (certificate, error) {
	authority, err := certs.NewAuthority("gatehouse test")
	if err != nil {
		return certificate{}, err
	}
	issued, err := authority.Server(slices.Concat(names, []string{"localhost", "127.0.0.1", "::1"})...)
	if err != nil {
		return certificate{}, err
	}
	c := certificate{bundle: authority.Bundle()}
	files, err := c.files(issued)
	if err != nil {
		return certificate{}, err
	}
	if c.folder, err = newFolder(); err != nil {
		return certificate{}, err
	}
	for name, content := range files {
		if err := os.WriteFile(c.file(name), content, 0o600); err != nil {
			return certificate{}, also(fmt.Errorf("writing its certificate: %w", err), c.remove())
		}
	}
	return c, nil
}

// newFolder makes a folder. Its path is absolute, even if TMPDIR is not, because the command
// may run elsewhere.
func newFolder() (string, error) {
	folder, err := os.MkdirTemp("", "gatehouse-*")
	if err != nil {
		return "", fmt.Errorf("making a folder for its certificate: %w", err)
	}
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return "", also(fmt.Errorf("making a folder for its certificate: %w", err), os.Remove(folder))
	}
	return absolute, nil
}

// files returns what is in the files.
func (c certificate) files(issued tls.Certificate) (map[string][]byte, error) {
	chain, key, err := certs.PEM(issued)
	if err != nil {
		return nil, fmt.Errorf("encoding the key of its certificate: %w", err)
	}
	return map[string][]byte{certificateFile: chain, keyFile: key, authorityFile: c.bundle}, nil
}

// file returns the path of a file.
func (c certificate) file(name string) string { return filepath.Join(c.folder, name) }

// remove removes the folder.
func (c certificate) remove() error {
	if err := os.RemoveAll(c.folder); err != nil {
		return fmt.Errorf("removing its certificate: %w", err)
	}
	return nil
}
