package suitefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"example.com/gatehouse/internal/manifest"
)

// maxPatch is the API server's limit for request bodies, in bytes.
const maxPatch = 3 << 20

// source is a file, and whether it holds a value of any type instead of a
// document.
type source struct {
	path  string
	value bool
}

// openedFile caches a file, which several requests may name.
type openedFile struct {
	document *manifest.Document
	err      error
}

// resolve returns a path relative to the working directory. "-" is a file here.
func (r *reader) resolve(path string) string {
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.folder, path)
	}
	if path == "-" {
		return "." + string(filepath.Separator) + path
	}
	return path
}

// open returns a copy of the document in a file; nil after a mistake. A broken
// file is reported once.
func (r *reader) open(at fieldPath, from source) *manifest.Document {
	from.path = r.resolve(from.path)
	if known := r.opened[from]; known != nil && known.err != nil {
		return nil
	}
	if r.opened[from] == nil {
		d, err := from.read()
		r.opened[from] = &openedFile{d, err}
		if err != nil {
			at.check(err)
			return nil
		}
	}
	fresh := *r.opened[from].document
	return &fresh
}

func (s source) read() (*manifest.Document, error) {
	info, err := stat(s.path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s: is a folder, not a file", s.path)
	case s.value:
		return readValue(s.path)
	default:
		return ReadDocument(s.path)
	}
}

// ReadDocument reads a file with exactly one document. It rejects duplicate
// keys, which a later decoder may accept.
func ReadDocument(path string) (*manifest.Document, error) {
	var found *manifest.Document
	for d, err := range manifest.Files([]string{path}, nil) {
		switch {
		case err != nil:
			return nil, err
		case found != nil:
			return nil, fmt.Errorf("%s: holds more than one document", path)
		}
		found = d
	}
	if found == nil {
		return nil, fmt.Errorf("%s: holds nothing", path)
	}
	if _, err := found.Unstructured(); err != nil {
		return nil, err
	}
	return found, nil
}

// readValue reads a file with a value that needs no kind, such as a patch.
func readValue(path string) (*manifest.Document, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	// The file was only read.
	defer func() { _ = file.Close() }()
	value, err := manifest.Value(path, file, maxPatch)
	if err != nil {
		return nil, err
	}
	return &manifest.Document{
		Position: manifest.Position{File: path, Number: 1, Line: 1},
		JSON:     value,
	}, nil
}

// stat returns the file information of a path.
func stat(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	return info, nil
}

// unreadable formats an error with the path once: the errors of package os have
// it, too.
func unreadable(path string, err error) error {
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		err = inner.Err
	}
	return fmt.Errorf("%s: cannot be read: %w", path, err)
}
