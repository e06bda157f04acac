package golden

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/suite/expect"
)

// errSeveral is about a file that is hardly meant to be a golden one.
var errSeveral = errors.New("is another document: a golden file has one")

// read returns the object in a file. The error wraps os.ErrNotExist if there is no file.
func read(path string) (json.RawMessage, error) {
	// A pipe would not be opened before somebody writes into it.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: is no file with an object", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening the golden file: %w", err)
	}
	// Nothing was written, so closing has nothing to say.
	defer func() { _ = file.Close() }()
	var found *manifest.Document
	for document, err := range manifest.Documents(path, file) {
		switch {
		case err != nil:
			return nil, err
		case found != nil:
			return nil, document.Wrap("", errSeveral)
		}
		found = document
	}
	if found == nil {
		return nil, &emptyError{path}
	}
	if _, err := found.Unstructured(); err != nil { // a key that is there twice
		return nil, err
	}
	return found.JSON, nil
}

// emptyError says that a file holds nothing.
type emptyError struct{ path string }

func (e *emptyError) Error() string { return e.path + ": line 1: there is no object" }

// Write writes the final object of a response into a file, unless the file says the same
// already, and reports whether it did. Folders are made as needed. A file that is there has
// to be a golden one, so that a path with a mistake in it costs nobody anything: it is empty,
// or it holds one object of the kind that is written. If path is a link, it stays one, and
// the file that it leads to is written.
//
// It is an error if the request was denied, or if there is no object.
func Write(path string, r *admission.Response) (written bool, err error) {
	object, err := final(r)
	if err != nil {
		return false, fmt.Errorf("writing %s: %w", path, err)
	}
	there, err := read(path)
	var empty *emptyError
	switch {
	case errors.Is(err, os.ErrNotExist) || errors.As(err, &empty):
	case err != nil:
		return false, fmt.Errorf("%w: it is not written over", err)
	case expect.Same(there, object):
		return false, nil
	case kindOf(there) != kindOf(object):
		return false, fmt.Errorf("%s: holds the kind %s, and is not written over with a %s: remove it if that is meant", path, kindOf(there).Kind, kindOf(object).Kind)
	}
	text, err := yaml.JSONToYAML(escaped(object))
	if err != nil {
		return false, fmt.Errorf("writing %s: %w", path, err)
	}
	if err := replace(path, text, kindOf(object).Kind == "Secret"); err != nil {
		return false, fmt.Errorf("writing a golden file: %w", err)
	}
	return true, nil
}

// escaped returns JSON with escapes in place of the characters that JSON has as they are,
// and YAML has not.
func escaped(text json.RawMessage) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		if 0x7F <= r && r <= 0x9F || r == '\uFEFF' || r == '\uFFFE' || r == '\uFFFF' {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

// kindOf returns the apiVersion and kind of an object.
func kindOf(object json.RawMessage) metav1.TypeMeta {
	var t metav1.TypeMeta
	_ = json.Unmarshal(object, &t) // it is an object, and was read as one
	return t
}

// replace puts a file in the place of another at once, and with the same mode. A new one can
// be read by everybody unless it is secret.
func replace(path string, text []byte, secret bool) error {
	path, err := linked(path)
	if err != nil {
		return err
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	draft, err := os.CreateTemp(folder, ".golden-")
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if secret {
		mode = 0o600
	}
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	_, err = draft.Write(text)
	err = errors.Join(err, draft.Chmod(mode), draft.Close())
	if err == nil {
		err = os.Rename(draft.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(draft.Name()))
	}
	return nil
}

// linked returns the file that a link leads to; the path itself if it is none, or if nothing
// is there.
func linked(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		return path, nil // whatever is wrong with it, whoever makes the file will be told
	}
	return filepath.EvalSymlinks(path)
}
