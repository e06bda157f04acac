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

// Files reads the documents of files and folders, in the order of paths. A
// folder stands for the files in it whose names end in .yaml, .yml or .json, in
// the order of their names, but for those that tell kustomize how to put the
// others together, such as kustomization.yaml; folders in it are not entered.
// "-" stands for stdin, which can be read once and may be nil if it is not to be
// read.
//
// A path that cannot be read is an error of its own; the others are read all
// the same. A folder without manifests is no error: callers that need a
// document have to count.
//
// Files are opened one at a time, as the caller goes on.
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

// HasEnding reports whether the name of a file ends as those of manifests in a folder do: in
// .yaml, .yml or .json.
func HasEnding(path string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(path))
}

// isManifest reports whether a file in a folder is read. It follows links, as
// mounted ConfigMaps consist of them; a broken one is left for opening to
// report.
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
	// Nothing was written, so closing has nothing to say.
	defer func() { _ = f.Close() }()
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
