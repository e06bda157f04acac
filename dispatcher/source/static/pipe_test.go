//go:build unix

package static

import (
	"path/filepath"
	"syscall"
	"testing"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testenv"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestPipe requires Load to return an error for a pipe and not to read it.
func TestPipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe := filepath.Join(dir, "a.yaml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		testenv.Missing(t, err)
	}
	_, err := Open(Config{Dir: dir, Phase: admission.Validating})
	want := `failed to read file "` + pipe + `": it is not a regular file`
	if got := testtable.Text(err); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
