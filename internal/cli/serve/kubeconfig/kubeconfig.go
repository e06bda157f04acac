package kubeconfig

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"example.com/gatehouse/internal/message"
)

// header begins all files that serve writes, so that it knows them again.
const header = "# Written by gatehouse serve, which removes it when it ends.\n"

// File is a kubeconfig that is there for as long as its server is. It comes
// to be in one piece: nobody ever reads half of it. Open makes it.
type File struct {
	// path is where it is to be, draft where it is being written.
	path, draft string
	// folder is to be removed as well; empty if it is the user's.
	folder string
	// text is what has been written.
	text []byte
}

// Open prepares a kubeconfig. An empty path stands for one in a temporary folder.
// Nothing is at path from then on until Publish, so that nobody who waits for it takes
// what a server has left behind, and whatever could be in the way is found out: an error
// is a mistake of whoever chose the path, and changes nothing. The File must be closed.
func Open(path string) (*File, error) {
	f := &File{path: path}
	if path == "" {
		folder, err := os.MkdirTemp("", "gatehouse-serve-")
		if err != nil {
			return nil, fmt.Errorf("making a folder for the kubeconfig: %w", err)
		}
		f.path, f.folder = filepath.Join(folder, "kubeconfig"), folder
	} else if err := replaceable(path); err != nil {
		return nil, fmt.Errorf("--write-kubeconfig: %s: %w", path, err)
	}
	draft, err := os.CreateTemp(filepath.Dir(f.path), ".gatehouse-kubeconfig-") // with mode 0600
	if err != nil {
		return nil, fmt.Errorf("--write-kubeconfig: %s: cannot be written: %w", f.path, message.FileError(err))
	}
	f.draft = draft.Name()
	if err := draft.Close(); err != nil {
		return nil, errors.Join(fmt.Errorf("--write-kubeconfig: %w", err), f.Close())
	}
	if err := os.Remove(f.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, errors.Join(fmt.Errorf("--write-kubeconfig: %s: cannot be replaced: %w", f.path, message.FileError(err)), f.Close())
	}
	return f, nil
}

// replaceable returns an error unless there is no file, or one that serve has left
// behind. What is no file is not read: that might take for ever.
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
		return errors.New("is there already, and not from gatehouse serve: choose another name")
	}
	return nil
}

// Path is where the kubeconfig is to be.
func (f *File) Path() string { return f.path }

// Publish puts a kubeconfig with the given text where it is to be.
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

// Close removes what is there of the kubeconfig, and the folder if it is temporary. If
// somebody has put another one in its place, such as a later server, that stays.
func (f *File) Close() error {
	err := os.Remove(f.draft)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	if text, readErr := os.ReadFile(f.path); f.text != nil && readErr == nil && bytes.Equal(text, f.text) {
		err = errors.Join(err, os.Remove(f.path))
	}
	if f.folder != "" {
		err = errors.Join(err, os.RemoveAll(f.folder))
	}
	return err
}
