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

// Reader reads the files, folders and "-" that a user names.
type Reader struct {
	// Stdin is the input "-". It can be read once and may be nil.
	Stdin io.Reader
	// Recursive says that the folders in folders are read as well.
	Recursive bool
	// Patches says that the patches of kustomize in folders are read as well:
	// their documents have Document.Patch set. Patches that are no manifests
	// are skipped.
	Patches bool
}

// Files reads the documents of files and folders, in the order of paths. "-" is
// stdin. It does not enter folders in a folder; see Reader.Files.
func Files(paths []string, stdin io.Reader) iter.Seq2[*Document, error] {
	return (&Reader{Stdin: stdin}).Files(paths)
}

// Files reads the documents of files and folders, in the order of paths. Of a
// folder it reads the files whose names end in .yaml, .yml or .json, in the
// order of their paths. It leaves out what kustomize does not take for a
// resource: kustomizations, kustomizeconfig.yaml, and in a folder with a
// kustomization the files that it names as patches or for other purposes, and
// those whose names end in _patch.yaml. Hidden folders are not entered, nor are
// links to folders.
//
// A path that cannot be read is one error; the other paths are read all the
// same. A folder without manifests is no error (see Filled). Files are opened
// one at a time.
func (r *Reader) Files(paths []string) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		for _, path := range paths {
			if !r.read(path, yield) {
				return
			}
		}
	}
}

// Filled is Files, but yields an error for every path without a document, so
// that a truncated file is not taken for an empty one.
func (r *Reader) Filled(paths []string) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		for _, path := range paths {
			empty := true
			for d, err := range r.Files([]string{path}) {
				empty = false
				if !yield(d, err) {
					return
				}
			}
			if empty && !yield(nil, r.holdsNothing(path)) {
				return
			}
		}
	}
}

// read reads the documents of a path.
func (r *Reader) read(path string, yield sink) bool {
	if path == "-" {
		stdin := r.Stdin
		r.Stdin = nil
		if stdin == nil {
			return yield(nil, errors.New(StandardInput+": there is none, or it has been read already"))
		}
		return read(StandardInput, stdin, yield)
	}
	info, err := os.Stat(path)
	if err != nil {
		return yield(nil, unreadable(path, err))
	}
	if !info.IsDir() {
		return readFile(path, yield)
	}
	return r.readFolder(path, yield)
}

// readFolder reads the documents of a folder.
func (r *Reader) readFolder(path string, yield sink) bool {
	f := walk(path, r.Recursive)
	for _, problem := range f.problems {
		if !yield(nil, problem) {
			return false
		}
	}
	for _, file := range f.files {
		switch {
		case !f.isForeign(file):
			if !readFile(file, yield) {
				return false
			}
		case r.Patches:
			if !readPatches(file, yield) {
				return false
			}
		}
	}
	return true
}

// readPatches reads the patches in a file, as far as they are manifests.
func readPatches(path string, yield sink) bool {
	return readFile(path, func(d *Document, err error) bool {
		if err != nil {
			return true // JSON patches are no manifests
		}
		d.Patch = true
		return yield(d, nil)
	})
}

// HasEnding reports whether the name of a file ends in .yaml, .yml or .json.
func HasEnding(path string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(path))
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
