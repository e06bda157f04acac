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
	"example.com/gatehouse/internal/filereplace"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/suite/expect"
)

var (
	// errSeveral rejects a file with several documents, which is hardly a golden
	// file.
	errSeveral = errors.New("is a second document: a golden file has one")
	// errEmpty says that a file is empty.
	errEmpty = errors.New("there is no object")
)

// read returns the object in a file. The error wraps os.ErrNotExist if there is
// no file.
func read(path string) (json.RawMessage, error) {
	// Opening a pipe would block.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: is not a regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening the golden file: %w", err)
	}
	// The file was only read.
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
		return nil, fmt.Errorf("%s: line 1: %w", path, errEmpty)
	}
	if _, err := found.Unstructured(); err != nil { // rejects duplicate keys
		return nil, err
	}
	return found.JSON, nil
}

// Write writes the final object of a response to a file, unless the file has an
// equal object already. It reports whether it wrote. Folders are made as
// needed. It overwrites only an empty file, or one with a single object of the
// same kind, so that a mistyped path does no damage. If path is a link, it
// writes the target.
//
// It is an error if the request was denied, or if there is no object.
func Write(path string, r *admission.Response) (written bool, err error) {
	object, err := finalObject(r)
	if err != nil {
		return false, fmt.Errorf("writing %s: %w", path, err)
	}
	there, err := read(path)
	switch {
	case errors.Is(err, os.ErrNotExist) || errors.Is(err, errEmpty):
	case err != nil:
		return false, fmt.Errorf("%w: gatehouse does not overwrite it", err)
	case expect.Same(there, object):
		return false, nil
	case kindOf(there) != kindOf(object):
		return false, fmt.Errorf("%s: holds the kind %s: to replace it by a %s, remove the file first", path, kindOf(there).Kind, kindOf(object).Kind)
	}
	text, err := yaml.JSONToYAML(escapeForYAML(object))
	if err != nil {
		return false, fmt.Errorf("writing %s: %w", path, err)
	}
	if err := replace(path, text, kindOf(object).Kind == "Secret"); err != nil {
		return false, fmt.Errorf("writing a golden file: %w", err)
	}
	return true, nil
}

// escapeForYAML escapes characters that are valid in JSON strings but not in
// YAML.
func escapeForYAML(text json.RawMessage) []byte {
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

// kindOf returns apiVersion and kind of an object.
func kindOf(object json.RawMessage) metav1.TypeMeta {
	var t metav1.TypeMeta
	_ = json.Unmarshal(object, &t) // the caller has decoded it before
	return t
}

// replace writes a file, and its folders. A new file is world-readable unless it is secret.
func replace(path string, text []byte, secret bool) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if secret {
		mode = 0o600
	}
	return filereplace.Write(path, text, mode)
}
