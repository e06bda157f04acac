package corpus_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"example.com/gatehouse/dispatcher/corpus"
)

func entry(id string) *corpus.Entry {
	return &corpus.Entry{ID: id, Source: corpus.FromRun, Review: []byte(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{}}`)}
}

func create(t testing.TB, folder string, options ...corpus.WriterOption) *corpus.Writer {
	t.Helper()
	w, err := corpus.Create(folder, options...)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func writeAll(t *testing.T, w *corpus.Writer, ids ...string) {
	t.Helper()
	for _, id := range ids {
		if err := w.Write(entry(id)); err != nil {
			t.Fatal(err)
		}
	}
}

// filesIn returns the names of the files of a folder.
func filesIn(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, e := range entries {
		files = append(files, filepath.Join(folder, e.Name()))
	}
	return files
}

// TestWriter writes plain and compressed files by several writers and goroutines.
func TestWriter(t *testing.T) {
	t.Parallel()
	folder := t.TempDir() + "/new/corpus"
	plain, small := create(t, folder), create(t, folder, corpus.Compressed())
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for j := range 100 {
				id := fmt.Sprintf("%d-%d", i, j)
				if err := errors.Join(plain.Write(entry(id)), small.Write(entry(id+"z"))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := len(lines(outline(folder, folder))); n != 400+256 {
		t.Errorf("before the end %d entries are readable, want all of the plain file and a frame", n)
	}
	if err := small.Flush(); err != nil {
		t.Fatal(err)
	}
	if n := len(lines(outline(folder, folder))); n != 800 {
		t.Errorf("after Flush %d entries are readable, want 800", n)
	}
	writeAll(t, small, "last")
	if err := errors.Join(plain.Close(), small.Close()); err != nil {
		t.Fatal(err)
	}
	if n := len(lines(outline(folder, folder))); n != 801 {
		t.Errorf("%d entries, want 801", n)
	}
	if err := small.Write(entry("late")); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("writing to a closed Writer: %v", err)
	}
	for _, file := range append(filesIn(t, folder), folder, filepath.Dir(folder)) {
		info, err := os.Stat(file)
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s can be read by others: %v, %v", file, info.Mode(), err)
		}
	}
	if n := len(filesIn(t, folder)); n != 2 {
		t.Errorf("%d files, want one of each Writer", n)
	}
}

// TestWriterRotates begins a new file.
func TestWriterRotates(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	w := create(t, folder, corpus.RotateAt(int64(2*len(line("1")))))
	writeAll(t, w, "1", "2", "3", "4")
	if n := len(filesIn(t, folder)); n != 2 {
		t.Errorf("%d files, want 2", n)
	}
	writeAll(t, w, "5")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := outline(folder, folder), "1\n2\n3\n4\n5"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestWriteInvalid requires that no file has an entry which cannot be read.
func TestWriteInvalid(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	w := create(t, folder)
	e := entry("1")
	e.Review = nil
	if err := w.Write(e); err == nil || err.Error() != "review: required" {
		t.Errorf("the error is %v", err)
	}
	e = entry("2")
	e.Answers = []corpus.Answer{{Phase: "mutating", Webhook: "w", Outcome: "allowed", Response: []byte("{")}}
	if err := w.Write(e); err == nil {
		t.Error("a response that is not JSON was written")
	}
	if err := w.Close(); err != nil || len(filesIn(t, folder)) > 0 {
		t.Errorf("the corpus has files: %v, %v", filesIn(t, folder), err)
	}
}

// TestCreateErrors requires an error for a folder that is none.
func TestCreateErrors(t *testing.T) {
	t.Parallel()
	file := t.TempDir() + "/file"
	write(t, file, "")
	for _, folder := range []string{file, file + "/corpus"} {
		_, err := corpus.Create(folder)
		if want := "create a file in " + folder + ": not a directory"; err == nil || err.Error() != want {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}

// TestCreateNothing requires that a Writer without entries leaves nothing, in
// particular no empty file if the program is killed before the first entry.
func TestCreateNothing(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	for _, folder := range []string{parent, parent + "/new/corpus"} {
		w := create(t, folder, corpus.Compressed())
		if found := filesIn(t, parent); len(found) > 0 {
			t.Errorf("%s before the first entry: %v", folder, found)
		}
		if err := errors.Join(w.Flush(), w.Close()); err != nil {
			t.Error(err)
		}
		if found := filesIn(t, parent); len(found) > 0 {
			t.Errorf("%s at the end: %v", folder, found)
		}
	}
}

// lines are the lines of a text, without empty ones.
func lines(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
}
