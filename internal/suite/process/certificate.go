package process

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
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

// authorityName is the common name of each authority.
const authorityName = "gatehouse test"

// certificate is the serving certificate of a command, in a folder.
type certificate struct {
	folder string
	names  []string
	bundle []byte // the authority, in PEM
}

// newCertificate makes an authority, a certificate for the names and the
// loopback addresses, and a folder with their files, which only the current
// user may enter.
func newCertificate(names []string) (certificate, error) {
	c := certificate{names: slices.Concat(names, []string{"localhost", "127.0.0.1", "::1"})}
	files, _, err := c.issue()
	if err != nil {
		return certificate{}, err
	}
	c.bundle = files[authorityFile]
	// The path is absolute, even if TMPDIR is not: the command may have another
	// working directory.
	temporary, err := filepath.Abs(os.TempDir())
	if err == nil {
		c.folder, err = os.MkdirTemp(temporary, "gatehouse-*")
	}
	if err != nil {
		return certificate{}, fmt.Errorf("making a folder for its certificate: %w", err)
	}
	if err := publish(c.folder, files); err != nil {
		return certificate{}, joinErrors(fmt.Errorf("writing its certificate: %w", err), c.remove())
	}
	return c, nil
}

// issue makes an authority and a certificate for the names. It returns their
// files, and the certificate in DER.
func (c certificate) issue() (files map[string][]byte, leaf []byte, err error) {
	authority, err := certs.NewAuthority(authorityName)
	if err != nil {
		return nil, nil, err
	}
	issued, err := authority.Server(c.names...)
	if err != nil {
		return nil, nil, err
	}
	chain, key, err := certs.PEM(issued)
	if err != nil {
		return nil, nil, fmt.Errorf("encoding the key of its certificate: %w", err)
	}
	return map[string][]byte{
		certificateFile: chain, keyFile: key, authorityFile: authority.Bundle(),
	}, issued.Certificate[0], nil
}

// renew replaces the files by those of a new authority and certificate. It
// returns the certificate in DER.
func (c certificate) renew() (leaf []byte, err error) {
	files, leaf, err := c.issue()
	if err == nil {
		err = publish(c.folder, files)
	}
	if err != nil {
		return nil, fmt.Errorf("renewing its certificate: %w", err)
	}
	return leaf, nil
}

// publish writes files to a folder as the kubelet writes those of a Secret: they
// are links into a folder, which is a link that is replaced at once, so that a
// reader finds either all old files or all new ones at their names.
//
// On Windows links need privileges, and the files are replaced one by one.
func publish(folder string, files map[string][]byte) error {
	if runtime.GOOS == "windows" {
		return writeFiles(folder, files)
	}
	version, err := os.MkdirTemp(folder, "..version-*")
	if err != nil {
		return err
	}
	if err := writeFiles(version, files); err != nil {
		return err
	}
	data := filepath.Join(folder, "..data")
	old, _ := os.Readlink(data) // there is none the first time
	if err := os.Symlink(filepath.Base(version), data+".new"); err != nil {
		return err
	}
	if err := os.Rename(data+".new", data); err != nil {
		return err
	}
	if old != "" {
		return os.RemoveAll(filepath.Join(folder, old))
	}
	for name := range files {
		if err := os.Symlink(filepath.Join("..data", name), filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	return nil
}

func writeFiles(folder string, files map[string][]byte) error {
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			return err
		}
	}
	return nil
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
