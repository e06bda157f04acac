package etcd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// patience is how long a database that another process has open may take to be
// closed: a server that is being replaced may be about to.
const patience = time.Second

// claim makes the folder and makes sure that nobody else has its database open.
// etcd itself would wait for that without end and without a word. Between the
// answer and its use somebody may still come, which costs the explanation and
// nothing else.
func claim(data string) error {
	if err := os.MkdirAll(data, 0o700); err != nil {
		return fmt.Errorf("making the folder for its data: %w", err)
	}
	file := filepath.Join(data, "member", "snap", "db")
	if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	db, err := bbolt.Open(file, 0o600, &bbolt.Options{Timeout: patience})
	if errors.Is(err, berrors.ErrTimeout) {
		return fmt.Errorf("the data in %s is in use by another server", data)
	}
	if err != nil {
		return fmt.Errorf("opening %s: %w", file, err)
	}
	return db.Close()
}
