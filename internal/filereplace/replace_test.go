package filereplace_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/internal/filereplace"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

type writeTest struct {
	row
	prepare func(folder string) error
	want    string // of the file; empty if it cannot be written
	mode    fs.FileMode
	err     string
	left    int // files in the folder afterwards
}

func TestWrite(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []writeTest{
		{row{"new", "there was none"}, func(string) error { return nil }, "after", 0o600, "", 1},
		{row{"old", "it is replaced, and keeps its mode"}, func(folder string) error {
			return before(filepath.Join(folder, "file"), 0o644)
		}, "after", 0o644, "", 1},
		{row{"link", "its target is replaced"}, func(folder string) error {
			if err := before(filepath.Join(folder, "target"), 0o640); err != nil {
				return err
			}
			return os.Symlink("target", filepath.Join(folder, "file"))
		}, "after", 0o640, "", 2},
		{row{"link to nothing", "a mistake is more probable than a file that is to be made elsewhere"}, func(folder string) error {
			return os.Symlink("target", filepath.Join(folder, "file"))
		}, "", 0, "lstat FOLDER/target: no such file or directory", 1},
		{row{"folder", "nothing is left beside it"}, func(folder string) error {
			return os.MkdirAll(filepath.Join(folder, "file", "full"), 0o700)
		}, "", 0, "replace FOLDER/file: file exists", 1},
		{row{"no folder", "the error names the file of the caller"}, os.Remove, "", 0, "open FOLDER/file: no such file or directory", 0},
	}, func(t *testing.T, tc writeTest) {
		folder := filepath.Join(t.TempDir(), "folder")
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := tc.prepare(folder); err != nil {
			t.Fatal(err)
		}
		checkWrite(t, folder, tc)
	})
}

// before writes a file with a mode, whatever the umask is.
func before(path string, mode fs.FileMode) error {
	return errors.Join(os.WriteFile(path, []byte("before"), 0o600), os.Chmod(path, mode))
}

func checkWrite(t *testing.T, folder string, tc writeTest) {
	path := filepath.Join(folder, "file")
	err := filereplace.Write(path, []byte("after"), 0o600)
	if want := strings.ReplaceAll(tc.err, "FOLDER", folder); testtable.Text(err) != want {
		t.Errorf("got %v, want %q", err, want)
	}
	if text, _ := os.ReadFile(path); string(text) != tc.want {
		t.Errorf("the file has %q, want %q", text, tc.want)
	}
	if info, err := os.Stat(path); tc.mode != 0 && (err != nil || info.Mode() != tc.mode) {
		t.Errorf("got %v and %v, want the mode %s", info, err, tc.mode)
	}
	if entries, _ := os.ReadDir(folder); len(entries) != tc.left {
		t.Errorf("got %d files, want %d: %v", len(entries), tc.left, entries)
	}
}
