package suitefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"example.com/gatehouse/internal/manifest"
)

// checkGoldens reports goldens that are no files for an object, or that are read for
// something else: an update would write over them.
func (r *reader) checkGoldens() {
	var inputs []input
	for i := range r.suite.Cases {
		path := r.suite.Cases[i].Expect.Golden
		if path == "" {
			continue
		}
		if inputs == nil {
			inputs = r.inputs()
		}
		r.at("cases").item(i).at("expect").at("golden").check(checkGolden(path, inputs))
	}
}

func checkGolden(path string, inputs []input) error {
	if !manifest.HasEnding(path) {
		return fmt.Errorf("%s: must end in .yaml, .yml or .json", path)
	}
	golden := inputAt(path, "")
	switch err := golden.err; {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return unreadable(path, err)
	case golden.isFolder():
		return fmt.Errorf("%s: is a folder, but a file is wanted", path)
	case !golden.info.Mode().IsRegular():
		return fmt.Errorf("%s: is no regular file", path)
	}
	return golden.clash(inputs)
}

// clash reports a golden that is read for something else, or would be if it were there.
func (i *input) clash(inputs []input) error {
	folders := foldersOf(i.path)
	for _, from := range inputs {
		switch {
		case from.same(i):
			return fmt.Errorf("%s: is read as %s: a golden is a file of its own", i.path, from.what)
		case from.isFolder() && slices.ContainsFunc(folders, func(folder input) bool { return from.same(&folder) }):
			return fmt.Errorf("%s: is in %s, which is read as %s: put it into another folder", i.path, from.path, from.what)
		}
	}
	return nil
}

// foldersOf returns the folder of a file, and that of the file that it is a link to, whose
// folder may be another one.
func foldersOf(path string) []input {
	folders := []input{inputAt(filepath.Dir(path), "")}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		folders = append(folders, inputAt(filepath.Dir(target), ""))
	}
	return folders
}

// input is a path, and what a suite reads there.
type input struct {
	path, what string
	info       fs.FileInfo // unless there is an err
	err        error
}

func inputAt(path, what string) input {
	info, err := os.Stat(path)
	return input{filepath.Clean(path), what, info, err}
}

func (i *input) isFolder() bool { return i.err == nil && i.info.IsDir() }

// same reports whether two paths lead to one file, which need not be there.
func (i *input) same(other *input) bool {
	return i.path == other.path || i.err == nil && other.err == nil && os.SameFile(i.info, other.info)
}

// inputs returns all that the suite reads.
func (r *reader) inputs() []input {
	all := []input{inputAt(r.suite.File, "the suite")}
	for _, path := range r.suite.Configs {
		all = append(all, inputAt(path, "configurations"))
	}
	for i := range r.suite.Webhooks {
		if path := r.suite.Webhooks[i].CAFile; path != "" {
			all = append(all, inputAt(path, fmt.Sprintf("webhooks[%d].caFile", i)))
		}
	}
	for from := range r.opened {
		all = append(all, inputAt(from.path, "a request or a part of one"))
	}
	return all
}
