//go:build unix

package golden_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"example.com/gatehouse/internal/suite/golden"
	"example.com/gatehouse/internal/testutil/testenv"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestPipe is not waited for.
func TestPipe(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "want.yaml")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		testenv.Missing(t, err)
	}
	want := path + ": is not a regular file"
	if _, err := golden.Check(path, created()); testtable.Text(err) != want {
		t.Errorf("compared: %v", err)
	}
	if written, err := golden.Write(path, created()); written || testtable.Text(err) != want+": gatehouse does not overwrite it" {
		t.Errorf("written %t, error %v", written, err)
	}
}
