package suitefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/gatehouse/internal/manifest"
)

// checkGoldens rejects golden files that the suite also reads as input: an
// update would overwrite them.
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
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return unreadable(path, err)
	case info.IsDir():
		return fmt.Errorf("%s: is a folder, not a file", path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: is not a regular file", path)
	}
	folders := []string{filepath.Dir(path)}
	if target, err := filepath.EvalSymlinks(folders[0]); err == nil {
		folders[0] = target
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		folders = append(folders, filepath.Dir(target)) // the file is a link
	}
	for _, from := range inputs {
		switch {
		case from.is(path):
			return fmt.Errorf("%s: is also read as %s: use another file as golden", path, from.what)
		case slices.ContainsFunc(folders, from.has):
			return fmt.Errorf("%s: is in %s, which is read as %s: put it into another folder", path,
				from.path, from.what)
		}
	}
	return nil
}

// input is a path that a suite reads, and what it is read as.
type input struct {
	path, what string
	info       fs.FileInfo // nil if there is no such file
	// recursive says that the folders in the input, which is a folder, are read as well.
	recursive bool
}

func inputAt(path, what string) input {
	info, _ := os.Stat(path)
	return input{path: filepath.Clean(path), what: what, info: info}
}

// is reports whether a path names the input, which need not exist.
func (i *input) is(path string) bool {
	if i.path == filepath.Clean(path) {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && i.info != nil && os.SameFile(i.info, info)
}

// has reports whether the files of a folder, which need not exist, are read with the
// input. Hidden folders in folders are not read.
func (i *input) has(folder string) bool {
	if i.is(folder) {
		return true
	}
	// The path leads up to the root, also from the working directory.
	folder, err := filepath.Abs(folder)
	if err != nil || !i.recursive {
		return false
	}
	for !strings.HasPrefix(filepath.Base(folder), ".") && filepath.Dir(folder) != folder {
		folder = filepath.Dir(folder)
		if i.is(folder) {
			return true
		}
	}
	return false
}

// inputs returns all files and folders that the suite reads.
func (r *reader) inputs() []input {
	all := []input{inputAt(r.suite.File, "the suite")}
	for _, path := range r.suite.Configs {
		from := inputAt(path, "configurations")
		from.recursive = r.suite.Recursive
		all = append(all, from)
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
