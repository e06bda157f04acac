package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// kubeconfigHeader begins all files that serve writes, so that it knows them again.
const kubeconfigHeader = "# Written by gatehouse serve, which removes it when it ends.\n"

// kubeconfigFile is a kubeconfig that is there for as long as its server is. It comes
// to be in one piece: nobody ever reads half of it.
type kubeconfigFile struct {
	// path is where it is to be, draft where it is being written.
	path, draft string
	// folder is to be removed as well; empty if it is the user's.
	folder string
	// text is what has been written.
	text []byte
}

// openKubeconfig prepares a kubeconfig. An empty path stands for one in a temporary
// folder. Nothing is at path before publish, but whatever could be in the way of it
// is found out. The file must be closed.
func openKubeconfig(path string) (*kubeconfigFile, error) {
	k := &kubeconfigFile{path: path}
	if path == "" {
		folder, err := os.MkdirTemp("", "gatehouse-serve-")
		if err != nil {
			return nil, fmt.Errorf("making a folder for the kubeconfig: %w", err)
		}
		k.path, k.folder = filepath.Join(folder, "kubeconfig"), folder
	} else if err := replaceable(path); err != nil {
		return nil, fmt.Errorf("--write-kubeconfig: %s: %w", path, err)
	}
	draft, err := os.CreateTemp(filepath.Dir(k.path), ".gatehouse-kubeconfig-") // with mode 0600
	if err != nil {
		return nil, fmt.Errorf("--write-kubeconfig: %s: cannot be written: %w", k.path, reasonOf(err))
	}
	k.draft = draft.Name()
	if err := draft.Close(); err != nil {
		return nil, errors.Join(fmt.Errorf("--write-kubeconfig: %w", err), k.close())
	}
	return k, nil
}

// replaceable returns an error unless there is no file, or one that serve has left
// behind.
func replaceable(path string) error {
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("cannot be replaced: %w", reasonOf(err))
	case !bytes.HasPrefix(text, []byte(kubeconfigHeader)):
		return errors.New("is there already, and not from gatehouse serve: choose another name")
	}
	return nil
}

// publish puts the kubeconfig where it is to be.
func (k *kubeconfigFile) publish(text []byte) error {
	k.text = append([]byte(kubeconfigHeader), text...)
	if err := os.WriteFile(k.draft, k.text, 0o600); err != nil {
		return fmt.Errorf("writing the kubeconfig: %w", err)
	}
	if err := os.Rename(k.draft, k.path); err != nil {
		return fmt.Errorf("writing the kubeconfig: %w", err)
	}
	return nil
}

// close removes what is there of the kubeconfig. If somebody has put another one in
// its place, such as a later server, that stays.
func (k *kubeconfigFile) close() error {
	err := os.Remove(k.draft)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	if text, readErr := os.ReadFile(k.path); k.text != nil && readErr == nil && bytes.Equal(text, k.text) {
		err = errors.Join(err, os.Remove(k.path))
	}
	if k.folder != "" {
		err = errors.Join(err, os.RemoveAll(k.folder))
	}
	return err
}
