package manifest

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
)

// Files reads the documents of files and folders, in the order of paths. Of a
// folder it reads the files whose names end in .yaml, .yml or .json, in the
// order of their names, except for the files of kustomize, such as
// kustomization.yaml. It does not enter folders in a folder. "-" is stdin,
// which can be read once and may be nil.
//
// A path that cannot be read is one error; the other paths are read all the
// same. A folder without manifests is no error (see Filled). Files are opened
// one at a time.
func Files(paths []string, stdin io.Reader) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		for _, path := range paths {
			if path == "-" {
				r := stdin
				stdin = nil
				if !readStandardInput(r, yield) {
					return
				}
				continue
			}
			if !readPath(path, yield) {
				return
			}
		}
	}
}

func readStandardInput(r io.Reader, yield sink) bool {
	if r == nil {
		return yield(nil, errors.New(StandardInput+": there is none, or it has been read already"))
	}
	return read(StandardInput, r, yield)
}

func readPath(path string, yield sink) bool {
	info, err := os.Stat(path)
	if err != nil {
		return yield(nil, unreadable(path, err))
	}
	if !info.IsDir() {
		return readFile(path, yield)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return yield(nil, unreadable(path, err))
	}
	for _, entry := range entries {
		name := filepath.Join(path, entry.Name())
		if isManifest(name) && !readFile(name, yield) {
			return false
		}
	}
	return true
}

// HasEnding reports whether the name of a file ends in .yaml, .yml or .json.
func HasEnding(path string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(path))
}

// isManifest reports whether Files reads a file in a folder. It follows links,
// because mounted ConfigMaps consist of them; opening a broken one fails.
func isManifest(path string) bool {
	if !HasEnding(path) {
		return false
	}
	switch filepath.Base(path) {
	case "kustomization.yaml", "kustomization.yml", "kustomizeconfig.yaml":
		return false // they need not even have a kind
	}
	info, err := os.Stat(path)
	return err != nil || !info.IsDir()
}

func readFile(path string, yield sink) bool {
	f, err := os.Open(path)
	if err != nil {
		return yield(nil, unreadable(path, err))
	}
	defer func() { _ = f.Close() }() // nothing was written
	return read(path, f, yield)
}

// unreadable names the path once: the errors of package os name it too.
func unreadable(path string, err error) error {
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	return fmt.Errorf("%s: cannot be read: %w", path, err)
}
