package suite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/suite/suitefile"
)

// suiteKind is found where the kind of a suite is written, in YAML as in JSON, and not in a
// schema or a page that only has the word.
var suiteKind = regexp.MustCompile(`(?i)\bkind["']?\s*:\s*["']?AdmissionTests?\b`)

// Load reads the suites in files and folders, in order; "-" is stdin. In a folder, and in
// the folders in it, files whose names end in .yaml, .yml or .json are looked at if the kind
// AdmissionTest is written in them, and only suites count; hidden folders are left out. A
// file that several paths lead to is read once. A path without a suite is an error, and so
// are two suites of one name.
//
// The error has one line for every mistake.
func Load(paths []string, stdin io.Reader) ([]*Suite, error) {
	l := loader{stdin: stdin, files: map[string]bool{}, names: map[string]string{}}
	for _, path := range paths {
		l.load(path)
	}
	if err := errors.Join(l.problems...); err != nil {
		return nil, err
	}
	return l.suites, nil
}

// loader keeps what has been found so far.
type loader struct {
	stdin    io.Reader
	suites   []*Suite
	problems []error
	// files says of each file that was read, by its path, whether there was a suite or a
	// mistake in it, and names where the suite of a name was.
	files map[string]bool
	names map[string]string
}

// load reads the suites of a path.
func (l *loader) load(path string) {
	files, err := filesOf(path)
	if err != nil {
		l.problems = append(l.problems, err)
		return
	}
	some := false
	for _, file := range files {
		some = l.loadOnce(file) || some
	}
	if !some {
		l.problems = append(l.problems, fmt.Errorf("%s: holds no suite: no document of the kind AdmissionTest", manifest.FileName(path)))
	}
}

// loadOnce reads the suites of a file that was not read before, and reports whether there is
// one, or a mistake.
func (l *loader) loadOnce(file string) bool {
	if file == "-" {
		return l.loadFile(file)
	}
	path := filepath.Clean(file)
	if _, done := l.files[path]; !done {
		l.files[path] = l.loadFile(file)
	}
	return l.files[path]
}

func (l *loader) loadFile(file string) bool {
	before := len(l.suites) + len(l.problems)
	for d, err := range manifest.Files([]string{file}, l.stdin) {
		if err == nil && !suitefile.Is(d) {
			continue
		}
		s, err := read(d, err)
		if err == nil && l.names[s.Name] != "" {
			err = fmt.Errorf("%s: name: there is a suite %q already, in %s", s.File, s.Name, l.names[s.Name])
		}
		if err != nil {
			l.problems = append(l.problems, err)
			continue
		}
		l.names[s.Name] = s.File
		l.suites = append(l.suites, s)
	}
	return before < len(l.suites)+len(l.problems)
}

// read makes a suite of a document, unless there was an error already.
func read(d *manifest.Document, err error) (*Suite, error) {
	if err != nil {
		return nil, err
	}
	file, err := suitefile.Read(d)
	if err != nil {
		return nil, err
	}
	return New(file)
}

// filesOf returns the files in which the suites of a path may be.
func filesOf(path string) ([]string, error) {
	if info, err := os.Stat(path); path != "-" && err == nil && info.IsDir() {
		return candidates(path)
	}
	return []string{path}, nil
}

// candidates returns the files in a folder that may hold suites, in the order of their
// names.
func candidates(folder string) ([]string, error) {
	var files []string
	// With a separator it is the folder even if the path is that of a link to it.
	folder += string(filepath.Separator)
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if hidden := strings.HasPrefix(entry.Name(), "."); hidden && path != folder {
				return fs.SkipDir
			}
			return nil
		case !manifest.HasEnding(path):
			return nil
		}
		text, err := os.ReadFile(path)
		if suiteKind.Match(text) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		// It names the path.
		return nil, fmt.Errorf("looking for suites: %w", err)
	}
	return files, nil
}
