package manifest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// folder has the files of a folder that may be manifests.
type folder struct {
	// files end as manifests do, in the order of their paths.
	files []string
	// kustomized are the folders with a kustomization, and foreign the files
	// that kustomizations use for something else than as resources.
	kustomized, foreign map[string]bool
	// problems say what could not be read.
	problems []error
}

// walk looks for the files of a folder and, if recursive, of its folders.
func walk(root string, recursive bool) *folder {
	f := &folder{kustomized: map[string]bool{}, foreign: map[string]bool{}}
	// With a separator WalkDir follows a link to a folder.
	root += string(filepath.Separator)
	// The error is always nil: visit keeps what it is told.
	_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			f.problems = append(f.problems, unreadable(filepath.Clean(path), err))
		case entry.IsDir():
			if path != root && (!recursive || hidden(entry)) {
				return fs.SkipDir
			}
		default:
			f.add(path)
		}
		return nil
	})
	return f
}

// hidden reports whether a folder is hidden. The folders of mounted ConfigMaps
// are, which hold everything a second time.
func hidden(entry fs.DirEntry) bool { return strings.HasPrefix(entry.Name(), ".") }

// add adds a file. It follows links, because mounted ConfigMaps consist of
// them; opening a broken one fails.
func (f *folder) add(path string) {
	if isKustomization(path) {
		f.addKustomization(path)
		return
	}
	if !HasEnding(path) || filepath.Base(path) == "kustomizeconfig.yaml" {
		return // it need not even have a kind
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return
	}
	f.files = append(f.files, path)
}

// Unread returns a line for each folder among the paths that has folders which
// are not read, because the Reader is not Recursive.
func (r *Reader) Unread(paths []string) []string {
	var lines []string
	for _, path := range paths {
		if text := r.UnreadIn(path); text != "" {
			lines = append(lines, path+": "+text)
		}
	}
	return lines
}

// holdsNothing says that a path holds no documents, and why that may be.
func (r *Reader) holdsNothing(path string) error {
	text := FileName(path) + ": holds no documents"
	if unread := r.UnreadIn(path); unread != "" {
		text += "; " + unread
	}
	return errors.New(text)
}

// UnreadIn names the folders in a folder that are not read, because the Reader
// is not Recursive; it is empty if there are none.
func (r *Reader) UnreadIn(path string) string {
	names := r.unentered(path)
	if len(names) == 0 {
		return ""
	}
	return "its folders are not read without -R: " + strings.Join(names, ", ")
}

// unentered returns the names of the folders in a folder that are not read and
// hold something that ends as a manifest does.
func (r *Reader) unentered(path string) []string {
	if path == "-" || r.Recursive {
		return nil
	}
	// Reading the path returns the error.
	entries, _ := os.ReadDir(path)
	var names []string
	for _, entry := range entries {
		if !entry.IsDir() || hidden(entry) {
			continue
		}
		if inside := walk(filepath.Join(path, entry.Name()), true); len(inside.files) > 0 {
			names = append(names, entry.Name())
		}
	}
	return names
}
