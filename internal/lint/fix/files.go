package fix

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"example.com/gatehouse/internal/filereplace"
	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/manifest/rewrite"
	"example.com/gatehouse/internal/message"
)

// File is a file and what it becomes.
type File struct {
	// Path is the path as it was given.
	Path          string
	Before, After []byte
}

// Files returns the files that change to fix findings, in the order of the findings. It
// leaves out findings that are silenced, and those without a remedy. The error has one
// line for each file or object that cannot be changed; the files are valid all the same.
func Files(c *lint.Cluster, findings []lint.Finding) ([]File, error) {
	var order []string
	changes := map[string][]rewrite.Change{}
	var problems []error
	for _, e := range edits(c, findings) {
		path := e.document.File
		if changes[path] == nil {
			order = append(order, path)
		}
		var err error
		changes[path], err = change(changes[path], e)
		problems = append(problems, err)
	}
	var files []File
	for _, path := range order {
		f, err := rewriteFile(path, changes[path])
		if err != nil {
			problems = append(problems, err)
			continue
		}
		if !bytes.Equal(f.Before, f.After) {
			files = append(files, f)
		}
	}
	return files, errors.Join(problems...)
}

// edits returns the edits that findings need.
func edits(c *lint.Cluster, findings []lint.Finding) []edit {
	var all []edit
	for i := range findings {
		f := &findings[i]
		if of := remedies[f.Rule.ID]; of != nil && f.Silenced == "" {
			all = append(all, of(c, f)...)
		}
	}
	return all
}

// change makes an edit of the change of its document, which it adds if there is none.
func change(changes []rewrite.Change, e edit) ([]rewrite.Change, error) {
	for _, c := range changes {
		if c.Document.Number == e.document.Number && c.Document.Item == e.document.Item {
			e.apply(c.Want)
			return changes, nil
		}
	}
	object, err := e.document.Unstructured()
	if err != nil {
		return changes, err
	}
	e.apply(object.Object)
	return append(changes, rewrite.Change{Document: e.document, Want: object.Object}), nil
}

// rewriteFile makes the changes of a file.
func rewriteFile(path string, changes []rewrite.Change) (File, error) {
	if path == manifest.StandardInput {
		return File{}, errors.New(path + ": cannot be changed: give the file that it came from")
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("is not a regular file")
	}
	var before []byte
	if err == nil {
		before, err = os.ReadFile(path)
	}
	if err != nil {
		return File{}, fmt.Errorf("%s: cannot be changed: %w", path, message.FileError(err))
	}
	after, err := rewrite.File(path, before, changes)
	return File{path, before, after}, err
}

// Write writes the files, each atomically. A file keeps its mode, and a link stays a
// link. The error has one line for each file that was not written; the others were.
func Write(files []File) error {
	var problems []error
	for _, f := range files {
		if err := f.write(); err != nil {
			problems = append(problems, fmt.Errorf("%s: cannot be written: %w", f.Path, message.FileError(err)))
		}
	}
	return errors.Join(problems...)
}

func (f *File) write() error {
	now, err := os.ReadFile(f.Path)
	if err == nil && !bytes.Equal(now, f.Before) {
		err = errors.New("the file has changed since it was read")
	}
	if err != nil {
		return err
	}
	return filereplace.Write(f.Path, f.After, 0o666) // it keeps its mode
}
