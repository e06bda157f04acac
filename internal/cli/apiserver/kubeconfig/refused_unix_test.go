//go:build unix

package kubeconfig

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestRefused: what is not of an earlier server is neither read for long nor
// touched.
func TestRefused(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		put  func(path string) error
		want string
	}
	testtable.Run(t, []test{
		{row{"folder", "it is no name for a file"}, func(path string) error { return os.Mkdir(path, 0o700) }, "is not a file"},
		{row{"device", "it must not be removed"}, func(path string) error { return os.Symlink(os.DevNull, path) }, "is not a file"},
		{row{"pipe", "to read it is to wait for a writer"}, func(path string) error { return syscall.Mkfifo(path, 0o600) }, "is not a file"},
		{row{"another file", "it may be all that leads to a cluster"}, func(path string) error { return os.WriteFile(path, []byte("mine"), 0o600) }, "exists, and gatehouse serve did not write it: choose another name"},
	}, func(t *testing.T, r test) {
		path := filepath.Join(t.TempDir(), "kubeconfig")
		if err := r.put(path); err != nil {
			t.Fatal(err)
		}
		_, err := Open(path)
		if got, want := testtable.Text(err), "--write-kubeconfig: "+path+": "+r.want; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
			t.Errorf("got %v (%v), want what was there", entries, err)
		}
	})
}
