package etcd

import (
	"errors"
	"fmt"
	"os"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// patience is how long a database that another process has open may take to be
// closed: a server that is being replaced may be about to.
const patience = time.Second

// claim makes the folder and makes sure that nobody else has its database open, and
// that it can be read. etcd itself would wait for the one without end and without a
// word, and end the process for the other. Between the answer and its use somebody may
// still come, which costs the explanation and nothing else.
func claim(data string) error {
	if err := os.MkdirAll(data, 0o700); err != nil {
		return fmt.Errorf("making the folder for its data: %w", err)
	}
	file := databaseIn(data)
	info, err := os.Stat(file)
	if errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0 {
		return nil
	}
	// Reading is tried only: to open it for more is to rely on what is in it.
	db, err := bbolt.Open(file, 0o600, &bbolt.Options{Timeout: patience, ReadOnly: true})
	if errors.Is(err, berrors.ErrTimeout) {
		return fmt.Errorf("the data in %s is in use by another server", data)
	}
	if err != nil {
		return fmt.Errorf("opening %s: %w", file, err)
	}
	return errors.Join(readAll(db, info.Size()), db.Close())
}
