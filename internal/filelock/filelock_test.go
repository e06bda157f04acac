package filelock_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"example.com/gatehouse/internal/filelock"
)

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	first, second := open(), open()
	if err := filelock.Lock(first); err != nil {
		t.Fatal(err)
	}
	if err := filelock.Lock(second); !errors.Is(err, filelock.ErrLocked) {
		t.Errorf("the second lock: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := filelock.Lock(second); err != nil {
		t.Errorf("after the first was closed: %v", err)
	}
}
