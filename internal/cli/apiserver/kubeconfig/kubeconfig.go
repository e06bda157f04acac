package kubeconfig

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"example.com/gatehouse/internal/message"
)

// header is the first line of all files of the package, by which it recognizes
// them.
const header = "# Written by gatehouse serve, which removes it when it ends.\n"

// File is a kubeconfig file. Open creates it; the caller must call Close.
type File struct {
	// path is the path of the kubeconfig, draft that of the temporary file.
	path, draft string
	// tempDir is the temporary folder of the kubeconfig; "" if the user chose
	// the path.
	tempDir string
	// text is the published content.
	text []byte
}

// Open prepares a kubeconfig. An empty path selects a temporary folder. Open
// removes the file of an earlier server, so that a script that waits for path
// does not read it. It fails, and changes nothing, if the path cannot be
// written or is another file.
func Open(path string) (*File, error) {
	f := &File{path: path}
	if path == "" {
		dir, err := os.MkdirTemp("", "gatehouse-serve-")
		if err != nil {
			return nil, fmt.Errorf("creating a folder for the kubeconfig: %w", err)
		}
		f.path, f.tempDir = filepath.Join(dir, "kubeconfig"), dir
	} else if err := replaceable(path); err != nil {
		return nil, fmt.Errorf("--write-kubeconfig: %s: %w", path, err)
	}
	draft, err := os.CreateTemp(filepath.Dir(f.path), ".gatehouse-kubeconfig-") // with mode 0600
	if err != nil {
		return nil, fmt.Errorf(
			"--write-kubeconfig: %s: cannot be written: %w", f.path, message.FileError(err))
	}
	f.draft = draft.Name()
	if err := draft.Close(); err != nil {
		return nil, errors.Join(fmt.Errorf("--write-kubeconfig: %w", err), f.Close())
	}
	if err := os.Remove(f.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		err = fmt.Errorf(
			"--write-kubeconfig: %s: cannot be replaced: %w", f.path, message.FileError(err))
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// replaceable returns an error unless there is no file, or one with header. It
// does not read pipes and devices, which could block.
func replaceable(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return errors.New("is not a file")
	}
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("cannot be replaced: %w", message.FileError(err))
	case !bytes.HasPrefix(text, []byte(header)):
		return errors.New("exists, and gatehouse serve did not write it: choose another name")
	}
	return nil
}

// Path returns the path of the kubeconfig.
func (f *File) Path() string { return f.path }

// Publish writes text to the kubeconfig.
func (f *File) Publish(text []byte) error {
	f.text = append([]byte(header), text...)
	if err := os.WriteFile(f.draft, f.text, 0o600); err != nil {
		return fmt.Errorf("writing the kubeconfig: %w", err)
	}
	if err := os.Rename(f.draft, f.path); err != nil {
		return fmt.Errorf("writing the kubeconfig: %w", err)
	}
	return nil
}

// Close removes the kubeconfig and its temporary files. It keeps a file whose
// content has changed, such as that of a later server.
func (f *File) Close() error {
	err := os.Remove(f.draft)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	text, readErr := os.ReadFile(f.path)
	if f.text != nil && readErr == nil && bytes.Equal(text, f.text) {
		err = errors.Join(err, os.Remove(f.path))
	}
	if f.tempDir != "" {
		err = errors.Join(err, os.RemoveAll(f.tempDir))
	}
	return err
}
