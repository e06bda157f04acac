package corpus

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
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

// Read returns the entries of files and folders, in the order of the paths; the
// files of a folder by their names. A line that is not an Entry is a *LineError,
// after which the iteration goes on. Any other error ends it.
func Read(paths ...string) iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		for _, path := range paths {
			files, err := filesOf(path)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, file := range files {
				if !readFile(file, yield) {
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
	err = filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && isEntries(file) {
			files = append(files, file)
		}
		return err
	})
	return files, err
}

func isEntries(file string) bool {
	return strings.HasSuffix(strings.TrimSuffix(file, ".zst"), ".jsonl")
}

func readFile(file string, yield func(*Entry, error) bool) (more bool) {
	f, err := os.Open(file)
	if err != nil {
		return yield(nil, err)
	}
	defer f.Close()
	r := io.Reader(f)
	if strings.HasSuffix(file, ".zst") {
		z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return yield(nil, fmt.Errorf("%s: %w", file, err))
		}
		defer z.Close()
		r = z
	}
	lines := bufio.NewReaderSize(r, 1<<16)
	for line := 1; ; line++ {
		text, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(text) == 0 {
			return true
		}
		e, problem := parse(text)
		if err != nil && !errors.Is(err, io.EOF) {
			problem = err
		}
		if problem != nil {
			e, problem = nil, &LineError{File: file, Line: line, Err: problem}
		}
		if !yield(e, problem) {
			return false
		}
		if err != nil {
			return true
		}
	}
}

func parse(line []byte) (*Entry, error) {
	e := &Entry{}
	if err := json.Unmarshal(line, e); err != nil {
		return nil, err
	}
	if e.APIVersion != APIVersion || e.Kind != Kind {
		return nil, fmt.Errorf("apiVersion and kind must be %s and %s, not %q and %q",
			APIVersion, Kind, e.APIVersion, e.Kind)
	}
	return e, nil
}
