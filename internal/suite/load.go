package suite

import (
	"bufio"
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

// suiteKind matches the kind of a suite in YAML and JSON. It does not match a
// schema or a page that mentions the word.
var suiteKind = regexp.MustCompile(`(?i)\bkind["']?\s*:\s*["']?AdmissionTests?\b`)

// Load reads the suites in files and folders, in order; "-" is stdin. In a
// folder and its subfolders it reads files whose names end in .yaml, .yml or
// .json and that contain the kind AdmissionTest, and ignores other documents;
// hidden folders are skipped. A file that several paths name is read once. A
// path without a suite is an error, and so are two suites of one name. The
// options are those of each suite.
//
// The error has one line for every mistake.
func Load(paths []string, stdin io.Reader, options ...Option) ([]*Suite, error) {
	l := loader{
		stdin: stdin, options: options, files: map[string]bool{}, names: map[string]string{},
	}
	for _, path := range paths {
		l.load(path)
	}
	if err := errors.Join(l.problems...); err != nil {
		return nil, err
	}
	return l.suites, nil
}

// loader is the state of Load.
type loader struct {
	stdin    io.Reader
	options  []Option
	suites   []*Suite
	problems []error
	// files records, by path, whether a file had a suite or a mistake; names is
	// the file of each suite's name.
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
		l.problems = append(l.problems,
			fmt.Errorf("%s: holds no suite: no document of the kind AdmissionTest", manifest.FileName(path)))
	}
}

// loadOnce reads a file once. It reports whether the file has a suite or a
// mistake.
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
		var s *Suite
		if err == nil {
			s, err = l.read(d)
		}
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

// read makes a suite from a document.
func (l *loader) read(d *manifest.Document) (*Suite, error) {
	file, err := suitefile.Read(d)
	if err != nil {
		return nil, err
	}
	return New(file, l.options...)
}

// filesOf returns the files of a path that may hold suites.
func filesOf(path string) ([]string, error) {
	if info, err := os.Stat(path); path != "-" && err == nil && info.IsDir() {
		return candidates(path)
	}
	return []string{path}, nil
}

// mentionsSuite reports whether a file may hold a suite. It reads no further than that.
func mentionsSuite(path string) (bool, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err != nil {
		return false, err
	}
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	reader := bufio.NewReader(file)
	if suiteKind.MatchReader(reader) {
		return true, nil
	}
	if _, err = reader.ReadByte(); errors.Is(err, io.EOF) {
		err = nil
	}
	return false, err
}

// candidates returns the files of a folder that may hold suites, sorted by
// name.
func candidates(folder string) ([]string, error) {
	var files []string
	// With a separator WalkDir follows a link to a folder.
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
		found, err := mentionsSuite(path)
		if found {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		// The error names the path.
		return nil, fmt.Errorf("looking for suites: %w", err)
	}
	return files, nil
}
