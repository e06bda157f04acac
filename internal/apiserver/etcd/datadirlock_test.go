package etcd

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"
	"k8s.io/apimachinery/pkg/util/wait"

	"example.com/gatehouse/internal/testutil/testtable"
)

// closing closes something at the end of a test, if it has not been closed.
func closing(t *testing.T, c io.Closer) {
	t.Helper()
	t.Cleanup(func() {
		if err := c.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
	})
}

// begun starts a server that ends with the test.
func begun(t *testing.T, folder string) *Server {
	t.Helper()
	s, err := Start(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// wantInUse wants a server to be rejected because of another one.
func wantInUse(t *testing.T, folder string) {
	t.Helper()
	s, err := Start(t.Context(), folder)
	if err == nil {
		_ = s.Stop()
	}
	if got, want := testtable.Text(err), "starting etcd: the data in "+folder+" is in use by another server"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLockDataDir: a folder is locked before etcd has created any file.
func TestLockDataDir(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	held, err := lockDataDir(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	closing(t, held)
	wantInUse(t, folder)
	ctx, cancel := context.WithCancelCause(t.Context())
	late := errors.New("late")
	cancel(late)
	if _, err := lockDataDir(ctx, folder); !errors.Is(err, late) {
		t.Errorf("got %v, want %v", err, late)
	}
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	begun(t, folder)
}

// TestTwoAtOnce starts servers concurrently in a new folder: one starts, and
// the others return an error.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "new")
	type result struct {
		server *Server
		err    error
	}
	const all = 4
	results := make(chan result)
	for range all {
		go func() {
			s, err := Start(t.Context(), folder)
			results <- result{s, err}
		}()
	}
	var first *Server
	rejected := 0
	for range all {
		r := <-results
		switch {
		case r.err != nil && strings.HasSuffix(r.err.Error(), "is in use by another server"):
			rejected++
		case r.err != nil:
			t.Error(r.err)
		default:
			first = r.server
		}
	}
	if first == nil || rejected != all-1 {
		t.Fatalf("%d of %d were rejected", rejected, all)
	}
	if err := first.Stop(); err != nil {
		t.Error(err)
	}
}

// TestTornLock: the content of the lock file does not matter.
func TestTornLock(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "lock"), []byte{0, 1, 2}, 0o600); err != nil {
		t.Fatal(err)
	}
	begun(t, folder)
}

// TestOpenElsewhere: other programs lock only the database.
func TestOpenElsewhere(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := begun(t, folder).Stop(); err != nil {
		t.Fatal(err)
	}
	reader, err := bbolt.Open(databasePath(folder), 0o600, &bbolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	closing(t, reader)
	wantInUse(t, folder)

	empty := t.TempDir()
	if err := os.MkdirAll(filepath.Dir(databasePath(empty)), 0o700); err != nil {
		t.Fatal(err)
	}
	held, err := lockFile(t.Context(), databasePath(empty))
	if err != nil {
		t.Fatal(err)
	}
	closing(t, held)
	wantInUse(t, empty)
}

// TestGivesUp locks the database after checkFiles: etcd waits forever, and
// start does not.
func TestGivesUp(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := begun(t, folder).Stop(); err != nil {
		t.Fatal(err)
	}
	held, err := lockFile(t.Context(), databasePath(folder))
	if err != nil {
		t.Fatal(err)
	}
	closing(t, held)
	sockets, err := os.MkdirTemp("", "gatehouse-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(sockets) })
	ctx, cancel := context.WithCancelCause(t.Context())
	late := errors.New("late")
	cancel(late)
	server, err := start(ctx, newConfig(folder, sockets, false), time.Millisecond)
	if server != nil || !errors.Is(err, late) {
		t.Fatalf("got %v and %v, want nothing and %v", server, err, late)
	}
	// The abandoned etcd listens, and waits for the database. When it has that, it
	// starts, and is closed.
	clients := filepath.Join(sockets, "clients")
	awaitFile(t, clients, true)
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	awaitFile(t, clients, false)
	again, err := lockFile(t.Context(), databasePath(folder))
	for tries := 0; err != nil && tries < 20; tries++ {
		again, err = lockFile(t.Context(), databasePath(folder))
	}
	if err != nil {
		t.Fatal(err)
	}
	closing(t, again)
}

// awaitFile waits until a file exists, or does not.
func awaitFile(t *testing.T, path string, want bool) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), time.Millisecond, time.Minute, true, func(context.Context) (bool, error) {
		_, err := os.Stat(path)
		return errors.Is(err, os.ErrNotExist) != want, nil
	})
	if err != nil {
		t.Fatalf("waiting for %s: %v", path, err)
	}
}

// TestLongName is not parallel, because there is one TMPDIR for all.
func TestLongName(t *testing.T) {
	folder := filepath.Join(t.TempDir(), strings.Repeat("x", 100))
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", folder)
	_, err := Start(t.Context(), "")
	got := testtable.Text(err)
	if !strings.HasPrefix(got, "starting etcd: the name of the folder for temporary files, "+folder+", is ") || !strings.HasSuffix(got, " characters too long for sockets in it: set TMPDIR to another one") {
		t.Errorf("got %q", got)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("it has left behind %v (%v)", left, err)
	}
}
