package manifest

import (
	"bytes"
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
	// Stdin is the input "-". It can be read once, except with Repeats, and may
	// be nil.
	Stdin io.Reader
	// Repeats says that paths are read several times. What can be read only
	// once, such as standard input and pipes, is kept until Close.
	Repeats bool
	// Recursive says that the folders in folders are read as well.
	Recursive bool
	// Patches says that the patches of kustomize in folders are read as well:
	// their documents have Document.Patch set. Patches that are no manifests
	// are skipped.
	Patches bool

	// kept is what Repeats keeps, by path.
	kept map[string]*spool
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
	if path != "-" {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return r.readFolder(path, yield)
		}
	}
	return r.readFile(path, yield)
}

// readFile reads the documents of a file or "-".
func (r *Reader) readFile(path string, yield sink) bool {
	in, err := r.open(path)
	if err != nil {
		return yield(nil, err)
	}
	defer func() { _ = in.Close() }() // nothing was written
	return read(FileName(path), in, yield)
}

// open opens a file or "-".
func (r *Reader) open(path string) (io.ReadCloser, error) {
	if s := r.kept[path]; s != nil {
		return s.open()
	}
	if path == "-" {
		stdin := r.Stdin
		r.Stdin = nil
		if stdin == nil {
			return nil, errors.New(StandardInput + ": there is none, or it has been read already")
		}
		return r.keep(path, io.NopCloser(stdin))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		return r.keep(path, f)
	}
	return f, nil
}

// keep keeps what can be read once, with Repeats.
func (r *Reader) keep(path string, in io.ReadCloser) (io.ReadCloser, error) {
	if !r.Repeats {
		return in, nil
	}
	defer func() { _ = in.Close() }() // nothing was written
	if r.kept == nil {
		r.kept = map[string]*spool{}
	}
	s := newSpool(FileName(path), in)
	r.kept[path] = s
	return s.open()
}

// Close removes what Repeats has kept.
func (r *Reader) Close() {
	for _, s := range r.kept {
		s.close()
	}
}

// Mentions reports whether a path, or a file that is read of a folder, has a
// text in it. It reports true for what cannot be read.
func (r *Reader) Mentions(path, text string) bool {
	files := []string{path}
	if info, err := os.Stat(path); path != "-" && err == nil && info.IsDir() {
		files = walk(path, r.Recursive).files
	}
	return slices.ContainsFunc(files, func(file string) bool {
		in, err := r.open(file)
		if err != nil {
			return true
		}
		defer func() { _ = in.Close() }() // nothing was written
		return mentions(in, []byte(text))
	})
}

func mentions(in io.Reader, text []byte) bool {
	buf := make([]byte, 0, 4*readSize)
	for {
		n, err := in.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if bytes.Contains(buf, text) {
			return true
		}
		if err != nil {
			return !errors.Is(err, io.EOF)
		}
		buf = buf[:copy(buf, buf[max(0, len(buf)-len(text)):])]
	}
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
			if !r.readFile(file, yield) {
				return false
			}
		case r.Patches:
			if !r.readPatches(file, yield) {
				return false
			}
		}
	}
	return true
}

// readPatches reads the patches in a file, as far as they are manifests.
func (r *Reader) readPatches(path string, yield sink) bool {
	return r.readFile(path, func(d *Document, err error) bool {
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

// unreadable names the path once: the errors of package os name it too.
func unreadable(path string, err error) error {
	return fmt.Errorf("%s: cannot be read: %w", path, bare(err))
}

// bare returns an error without the name of the file that package os adds.
func bare(err error) error {
	if named, ok := errors.AsType[*os.PathError](err); ok {
		return named.Err
	}
	return err
}
