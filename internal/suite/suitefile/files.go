package suitefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"example.com/gatehouse/internal/manifest"
)

// maxPatch is what an API server reads of a request.
const maxPatch = 3 << 20

// source is a file, and whether it holds a value of whatever type instead of a document.
type source struct {
	path  string
	value bool
}

// opened is what has become of a file: many requests may be made of one.
type opened struct {
	document *manifest.Document
	err      error
}

// resolve returns a path as it can be opened. What is named "-" is a file here.
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

// open returns the document that a file holds, as one that nobody else has; nil if there
// is a mistake. A file that many requests name is one mistake.
func (r *reader) open(at place, from source) *manifest.Document {
	from.path = r.resolve(from.path)
	if known := r.opened[from]; known != nil && known.err != nil {
		return nil
	}
	if r.opened[from] == nil {
		d, err := from.read()
		r.opened[from] = &opened{d, err}
		if err != nil {
			at.check(err)
			return nil
		}
	}
	fresh := *r.opened[from].document
	return &fresh
}

func (s source) read() (*manifest.Document, error) {
	info, err := look(s.path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s: is a folder, but a file is wanted", s.path)
	case s.value:
		return readValue(s.path)
	default:
		return readDocument(s.path)
	}
}

// readDocument reads a file that has to hold one document, in which nothing is there
// twice: whoever decodes it may be more patient.
func readDocument(path string) (*manifest.Document, error) {
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

// readValue reads a file that holds for example a patch, which need have no kind.
func readValue(path string) (*manifest.Document, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	// Nothing was written, so closing has nothing to say.
	defer func() { _ = file.Close() }()
	value, err := manifest.Value(path, file, maxPatch)
	if err != nil {
		return nil, err
	}
	return &manifest.Document{Position: manifest.Position{File: path, Number: 1, Line: 1}, JSON: value}, nil
}

// look sees whether there is something at a path.
func look(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	return info, nil
}

// unreadable names the path once: the errors of package os name it, too.
func unreadable(path string, err error) error {
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		err = inner.Err
	}
	return fmt.Errorf("%s: cannot be read: %w", path, err)
}
