package snapshot

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// sample returns a snapshot with one object.
func sample(name string) *Snapshot {
	return &Snapshot{files: map[string]map[identity][]byte{
		name + ".yaml": {{name: "a"}: []byte("---\na: " + name + "\n")},
	}}
}

// TestFolder: what a folder may be that is written, and what it then has.
func TestFolder(t *testing.T) {
	t.Parallel()
	type test struct {
		testtable.Row
		files map[string]string
		err   string
	}
	const head = aboutHead + "files: {old.yaml: 1}\n"
	testtable.Run(t, []test{
		{row{"new", "the first snapshot"}, nil, ""},
		{row{"empty", "made by a user"}, map[string]string{}, ""},
		{row{"snapshot", "the next snapshot"}, map[string]string{aboutFile: head, "old.yaml": "a"}, ""},
		{row{"removed file", "it is not needed"}, map[string]string{aboutFile: head}, ""},
		{row{"other files", "they are a user's"}, map[string]string{"a.yaml": "a"},
			"is neither empty nor a snapshot: choose another folder"},
		{row{"file of a user", "it would be lost"}, map[string]string{aboutFile: head, "old.yaml": "a", "notes\x1b.txt": "a"},
			`has "notes\x1b.txt", which is not part of the snapshot: move it away, or choose another folder`},
		{row{"file of the same name", "it is a user's"}, map[string]string{aboutFile: "my snapshots"},
			"is neither empty nor a snapshot: choose another folder"},
		{row{"broken", "it says nothing about the files"}, map[string]string{aboutFile: aboutHead + "files: ["},
			"is neither empty nor a snapshot: choose another folder"},
	}, func(t *testing.T, tc test) {
		parent := t.TempDir()
		path := filepath.Join(parent, "a")
		if tc.files != nil {
			if err := errors.Join(os.Mkdir(path, 0o700), os.Chmod(path, 0o710)); err != nil { // whatever the umask is
				t.Fatal(err)
			}
		}
		for name, text := range tc.files {
			if err := os.WriteFile(filepath.Join(path, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if tc.err != "" {
			_, err := Open(path)
			if got, want := testtable.Text(err), path+": "+tc.err; got != want {
				t.Errorf("%s: got %q, want %q", tc.Why(), got, want)
			}
			if got := content(t, path); !maps.Equal(got, tc.files) {
				t.Errorf("it has %q, want %q", got, tc.files)
			}
			return
		}
		write(t, path, sample("fresh"))
		got := content(t, path)
		if want := []string{aboutFile, "fresh.yaml"}; !slices.Equal(names(got), want) || got["fresh.yaml"] != "---\na: fresh\n" {
			t.Errorf("%s: it has %q", tc.Why(), got)
		}
		if info, err := os.Stat(path); err != nil || tc.files != nil && info.Mode().Perm() != 0o710 {
			t.Errorf("the mode is %v, %v", info.Mode(), err)
		}
		onlyEntry(t, parent, "a")
	})
}

// onlyEntry fails the test if a folder has something besides an entry.
func onlyEntry(t *testing.T, folder, name string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 || entries[0].Name() != name {
		t.Errorf("%s has %v, %v", folder, entries, err)
	}
}

// TestFolderErrors: paths where no folder can be.
func TestFolderErrors(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	file := filepath.Join(parent, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		file:                               "cannot be replaced: not a directory",
		filepath.Join(file, "a"):           "cannot be replaced: not a directory",
		filepath.Join(parent, "none", "a"): "no folder can be created beside it: no such file or directory",
	} {
		_, err := Open(path)
		if got := testtable.Text(err); got != path+": "+want {
			t.Errorf("got %q, want %q", got, path+": "+want)
		}
	}
	onlyEntry(t, parent, "file")
}

// TestFolderStays: a snapshot that is not written leaves the folder as it was.
func TestFolderStays(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	path := filepath.Join(parent, "a")
	write(t, path, sample("old"))
	before := content(t, path)

	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil { // an error or an interrupt before Write
		t.Fatal(err)
	}
	if after := content(t, path); !maps.Equal(after, before) {
		t.Errorf("without Write: got %q, want %q", after, before)
	}

	if f, err = Open(path); err != nil {
		t.Fatal(err)
	}
	bad := sample("fresh")
	bad.files[strings.Repeat("x", 300)] = nil // no file can have this name
	if err := f.Write(bad, ""); err == nil {
		t.Error("there is no error")
	}
	notes := filepath.Join(path, "notes.txt")
	if err := os.WriteFile(notes, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil {
		t.Error("the file of a user is overlooked")
	}
	if err := os.Remove(notes); err != nil {
		t.Fatal(err)
	}
	if after := content(t, path); !maps.Equal(after, before) {
		t.Errorf("after an error: got %q, want %q", after, before)
	}
	onlyEntry(t, parent, "a")
}

// TestFolderChanges: files that a user writes while the cluster is read are not lost.
func TestFolderChanges(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	path := filepath.Join(parent, "a")
	write(t, path, sample("old"))
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(path, "notes.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	want := `writing the snapshot: has "notes.txt", which is not part of the snapshot: move it away, or choose another folder`
	if got := testtable.Text(f.Write(sample("fresh"), "")); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := names(content(t, path)), []string{aboutFile, "notes.txt", "old.yaml"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestFolderInFolder: a folder of a user is not lost, whatever its name is.
func TestFolderInFolder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a")
	write(t, path, sample("old"))
	if err := os.Remove(filepath.Join(path, "old.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(path, "old.yaml"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := Open(path)
	want := path + `: has "old.yaml", which is not part of the snapshot: move it away, or choose another folder`
	if got := testtable.Text(err); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestFolderLink: a link to a folder stays one.
func TestFolderLink(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	link := filepath.Join(parent, "link")
	if err := os.Mkdir(filepath.Join(parent, "a"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a", link); err != nil {
		t.Fatal(err)
	}
	write(t, link, sample("fresh"))
	if target, err := os.Readlink(link); err != nil || target != "a" {
		t.Errorf("the link leads to %q, %v", target, err)
	}
	if got := names(content(t, filepath.Join(parent, "a"))); len(got) != 2 {
		t.Errorf("the folder has %q", got)
	}
}

// TestFolderAtOnce: of several snapshots at a time, each is complete or an error.
func TestFolderAtOnce(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	path := filepath.Join(parent, "a")
	write(t, path, sample("old"))
	var writers sync.WaitGroup
	var written atomic.Int64
	for _, name := range []string{"b", "c", "d", "e"} {
		writers.Go(func() {
			for range 20 {
				f, err := Open(path)
				if err != nil {
					continue // between two steps of another one
				}
				if f.Write(sample(name), "") == nil {
					written.Add(1)
				}
				if err := f.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	got := names(content(t, path))
	if len(got) != 2 || got[0] != aboutFile || !strings.HasSuffix(got[1], ".yaml") || got[1] == "old.yaml" || written.Load() == 0 {
		t.Errorf("got %q after %d snapshots", got, written.Load())
	}
	onlyEntry(t, parent, "a")
}
