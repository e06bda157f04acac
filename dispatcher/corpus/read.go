package corpus

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// LineError is a line that is not an Entry, or the end of a file that is cut off.
type LineError struct {
	File string
	Line int
	Err  error
}

// Error returns FILE:LINE and the reason.
func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap returns the reason.
func (e *LineError) Unwrap() error { return e.Err }

// Position is where an entry was read.
type Position struct {
	File string
	Line int
}

// String returns FILE:LINE.
func (p Position) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Read returns the entries of files and folders, in the order of the paths; the
// files of a folder by their names. A line that is not an Entry is a
// *LineError, after which the iteration continues. If a file is cut off or its
// compression is broken, its end is a *LineError, too, and the iteration
// continues with the next file. Any other error ends the iteration: a path that
// does not exist, a folder without files of a corpus, and a file that cannot be
// read.
//
// Read recognizes a compressed file by its first bytes, whatever its name. It
// uses at most about 100 MiB, whatever the content of the files.
func Read(paths ...string) iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		for e, err := range ReadPositions(paths...) {
			var entry *Entry
			if e != nil {
				entry = e.Entry
			}
			if !yield(entry, err) {
				return
			}
		}
	}
}

// Positioned is an entry with its position.
type Positioned struct {
	*Entry
	Position
}

// ReadPositions is Read for callers that report the positions of entries.
func ReadPositions(paths ...string) iter.Seq2[*Positioned, error] {
	return ReadPart(nil, paths...)
}

// ReadPart is ReadPositions for the entries whose IDs a part of the corpus has;
// nil is all of it. For each other entry it reads only the ID, and returns a
// Positioned with a nil Entry, even if the line is otherwise broken. A broken
// line without a readable ID belongs to the part that has the empty ID. So if
// each ID is in one of several parts, together they return each Entry and each
// *LineError once, and all have the same number of values.
func ReadPart(has func(id string) bool, paths ...string) iter.Seq2[*Positioned, error] {
	return func(yield func(*Positioned, error) bool) {
		for _, path := range paths {
			files, err := filesOf(path)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, file := range files {
				if !readFile(file, has, yield) {
					return
				}
			}
		}
	}
}

// filesOf returns path if it is a file, and the files of the corpus if it is a
// folder.
func filesOf(path string) (files []string, err error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, err
	}
	// With a separator WalkDir follows a link to a folder.
	root := path + string(filepath.Separator)
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != root && isHidden(d):
			return fs.SkipDir
		case !d.IsDir() && !isHidden(d) && isEntries(file) && isRegular(file):
			files = append(files, file)
		}
		return nil
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: holds no *.jsonl and no *.jsonl.zst", path)
	}
	return files, err
}

// isHidden reports whether a file or folder is hidden. The folders of mounted
// volumes are, which hold everything a second time.
func isHidden(d fs.DirEntry) bool { return strings.HasPrefix(d.Name(), ".") }

func isEntries(file string) bool {
	return strings.HasSuffix(strings.TrimSuffix(file, ".zst"), ".jsonl")
}

// isRegular reports whether a file, or the one that a link leads to, is a regular
// one: opening another may never return. A broken link is for the caller to open.
func isRegular(file string) bool {
	info, err := os.Stat(file)
	return err != nil || info.Mode().IsRegular()
}

// readFile reads a file. It returns false after the last entry of all.
func readFile(
	file string, has func(id string) bool, yield func(*Positioned, error) bool,
) (more bool) {
	f, err := os.Open(file)
	if err != nil {
		yield(nil, err)
		return false
	}
	defer f.Close()
	r, err := newLineReader(f)
	if err != nil {
		yield(nil, fmt.Errorf("%s: %w", file, err))
		return false
	}
	defer r.close()
	for at := (Position{file, 1}); ; at.Line++ {
		text, err := r.next()
		if errors.Is(err, io.EOF) {
			return true
		}
		var failed *fs.PathError // of the file, not of what is in it
		if errors.As(err, &failed) {
			yield(nil, failed)
			return false
		}
		p := &Positioned{Position: at}
		if err == nil {
			p.Entry, err = parsePart(text, has)
		} else if has != nil && !has("") {
			err = nil
		}
		if err != nil {
			p, err = nil, &LineError{File: file, Line: at.Line, Err: err}
		}
		if !yield(p, err) {
			return false
		}
		if r.over {
			return true
		}
	}
}

// parsePart returns the Entry of a line; nil if the part does not have it.
func parsePart(line []byte, has func(id string) bool) (*Entry, error) {
	if has == nil {
		return parse(line)
	}
	id, known := idOf(line)
	if known && !has(id) {
		return nil, nil
	}
	e, err := parse(line)
	if err == nil {
		id = e.ID
	}
	if !known && !has(id) {
		return nil, nil
	}
	return e, err
}

// idOf returns the ID of a line that may be broken. It is not known if more is needed
// to read it.
func idOf(line []byte) (id string, known bool) {
	for m := range members(line) {
		if m.key != "id" {
			continue
		}
		if id, known = plainString(m.value); !known {
			return "", false
		}
	}
	return id, id != ""
}
