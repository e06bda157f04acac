package process

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"example.com/gatehouse/internal/certs"
)

// The names of files are those of a Secret of type kubernetes.io/tls, with
// ca.crt as cert-manager adds it.
const (
	certificateFile = "tls.crt"
	keyFile         = "tls.key"
	authorityFile   = "ca.crt"
)

// certificate is the serving certificate of a command, in a folder.
type certificate struct {
	folder string
	bundle []byte // the authority, in PEM
}

// newCertificate makes an authority, a certificate for the names and the
// loopback addresses, and a folder with their files, which only the current
// user may enter.
func newCertificate(names []string) (certificate, error) {
	authority, err := certs.NewAuthority("gatehouse test")
	if err != nil {
		return certificate{}, err
	}
	issued, err := authority.Server(slices.Concat(names, []string{"localhost", "127.0.0.1", "::1"})...)
	if err != nil {
		return certificate{}, err
	}
	chain, key, err := certs.PEM(issued)
	if err != nil {
		return certificate{}, fmt.Errorf("encoding the key of its certificate: %w", err)
	}
	c := certificate{bundle: authority.Bundle()}
	// The path is absolute, even if TMPDIR is not: the command may have another
	// working directory.
	temporary, err := filepath.Abs(os.TempDir())
	if err == nil {
		c.folder, err = os.MkdirTemp(temporary, "gatehouse-*")
	}
	if err != nil {
		return certificate{}, fmt.Errorf("making a folder for its certificate: %w", err)
	}
	for name, content := range map[string][]byte{
		certificateFile: chain, keyFile: key, authorityFile: c.bundle,
	} {
		if err := os.WriteFile(c.file(name), content, 0o600); err != nil {
			return certificate{}, joinErrors(fmt.Errorf("writing its certificate: %w", err), c.remove())
		}
	}
	return c, nil
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
