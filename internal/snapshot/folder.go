package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/message"
)

// aboutFile describes a snapshot. Commands do not read it, because its name is not that of a
// manifest.
const aboutFile = "SNAPSHOT"

// aboutHead is how it begins.
const aboutHead = "# Written by gatehouse snapshot, which replaces this folder.\n"

// about is what a snapshot says of itself. There is no date, so that a second snapshot of
// an unchanged cluster is the same.
type about struct {
	Gatehouse string `json:"gatehouse"`
	// Server is the version of the API server.
	Server    string `json:"server,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	// Files are the files with the number of their objects, and LeftOut is what is in none.
	Files   map[string]int `json:"files"`
	LeftOut []string       `json:"leftOut,omitempty"`
}

// Folder is where a snapshot is written. Open creates it; the caller must call Close.
type Folder struct {
	path string
	// draft has the new snapshot before it takes the name of the folder, and later the old
	// one. It is beside the folder, because files are not moved between disks.
	draft string
}

// Open prepares a folder: it must not exist, or be empty, or be a snapshot and have nothing
// else. It is not changed before Write.
func Open(path string) (*Folder, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if target, err := filepath.EvalSymlinks(absolute); err == nil {
		absolute = target
	}
	f := &Folder{path: absolute}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if f.draft, err = os.MkdirTemp(filepath.Dir(absolute), ".gatehouse-snapshot-*"); err != nil {
		return nil, fmt.Errorf("%s: no folder can be created beside it: %w", path, message.FileError(err))
	}
	return f, nil
}

// check returns an error unless the folder may be replaced.
func (f *Folder) check() error {
	current, currentErr := os.Stat(".")
	if info, err := os.Stat(f.path); err == nil && currentErr == nil && os.SameFile(info, current) {
		return errors.New("is the current folder, which the command would replace: run it in the parent folder")
	}
	entries, err := os.ReadDir(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("cannot be replaced: %w", message.FileError(err))
	case len(entries) == 0:
		return nil
	}
	text, err := os.ReadFile(filepath.Join(f.path, aboutFile))
	var old about
	if err != nil || !bytes.HasPrefix(text, []byte(aboutHead)) || yaml.Unmarshal(text, &old) != nil {
		return errors.New("is neither empty nor a snapshot: choose another folder")
	}
	for _, e := range entries {
		_, ok := old.Files[e.Name()]
		if !ok && e.Name() != aboutFile || !e.Type().IsRegular() {
			const text = "has %q, which is not part of the snapshot: move it away, or choose another folder"
			return fmt.Errorf(text, e.Name())
		}
	}
	return nil
}

// Write replaces the folder by a snapshot. After an error it is as it was. version is that of
// gatehouse.
func (f *Folder) Write(s *Snapshot, version string) error {
	if err := f.write(s, version); err != nil {
		return fmt.Errorf("writing the snapshot: %w", err)
	}
	return nil
}

func (f *Folder) write(s *Snapshot, version string) error {
	fresh := filepath.Join(f.draft, "new")
	if err := os.Mkdir(fresh, 0o777); err != nil {
		return err
	}
	for name, objects := range s.files {
		if err := writeFile(filepath.Join(fresh, name), objects); err != nil {
			return err
		}
	}
	text, err := s.about(version)
	if err == nil {
		err = os.WriteFile(filepath.Join(fresh, aboutFile), text, 0o666)
	}
	if err != nil {
		return err
	}
	// Another snapshot may take the name between the two steps of replace.
	for range 3 {
		if err = f.replace(fresh); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return err
}

// about returns what the snapshot says of itself.
func (s *Snapshot) about(version string) ([]byte, error) {
	a := about{
		Gatehouse: version, Server: s.Server, Namespace: s.Namespace,
		Files: map[string]int{}, LeftOut: s.Notices,
	}
	for name, objects := range s.files {
		a.Files[name] = len(objects)
	}
	text, err := yaml.Marshal(a)
	return append([]byte(aboutHead), text...), err
}

// writeFile writes the objects of a file, in order.
func writeFile(path string, objects map[identity][]byte) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	for _, id := range sorted(objects) {
		if _, err = file.Write(objects[id]); err != nil {
			break
		}
	}
	return errors.Join(err, file.Close())
}

// replace gives the new folder the name, and keeps the old one until then.
func (f *Folder) replace(fresh string) error {
	if err := f.check(); err != nil { // it may have changed while the cluster was read
		return err
	}
	old := filepath.Join(f.draft, "old")
	if err := os.RemoveAll(old); err != nil {
		return err
	}
	if info, err := os.Stat(f.path); err == nil {
		if err := os.Chmod(fresh, info.Mode().Perm()); err != nil {
			return err
		}
	}
	err := os.Rename(f.path, old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	moved := err == nil
	if err = os.Rename(fresh, f.path); err != nil && moved && !errors.Is(err, fs.ErrExist) {
		if back := os.Rename(old, f.path); back != nil {
			f.draft = "" // Close would remove it
			return fmt.Errorf("%w; the previous snapshot is now in %s", err, old)
		}
	}
	return err
}

// Close removes what is temporary.
func (f *Folder) Close() error { return os.RemoveAll(f.draft) }
