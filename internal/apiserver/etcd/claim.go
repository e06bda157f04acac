package etcd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// patience is how long data that another process has open may take to be given back: a
// server that is being replaced may be about to.
const patience = time.Second

// pause is the time between two attempts to lock a file.
const pause = 20 * time.Millisecond

// errHeld says that somebody else has locked a file.
var errHeld = errors.New("it is locked")

// claim makes the folder and takes it: no other server can until the lock is closed.
// etcd itself would wait for a folder that is in use without end and without a word or,
// where nothing is in it yet, take what another one is just making for damage.
func claim(ctx context.Context, data string) (io.Closer, error) {
	if err := os.MkdirAll(data, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder for its data: %w", err)
	}
	// What is in this file does not matter, so that nothing can be wrong with it.
	held, err := await(ctx, filepath.Join(data, "lock"))
	if err != nil {
		return nil, explained(data, err)
	}
	if err := inspect(ctx, databaseIn(data)); err != nil {
		return nil, errors.Join(explained(data, err), held.Close())
	}
	return held, nil
}

// explained says what it means that a file is locked.
func explained(data string, err error) error {
	if errors.Is(err, errHeld) || errors.Is(err, berrors.ErrTimeout) {
		return fmt.Errorf("the data in %s is in use by another server", data)
	}
	return err
}

// await locks a file, which it makes if it is not there, until it is closed.
func await(ctx context.Context, path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := awaitLock(ctx, file); err != nil {
		return nil, errors.Join(fmt.Errorf("locking %s: %w", path, err), file.Close())
	}
	return file, nil
}

func awaitLock(ctx context.Context, file *os.File) error {
	ticker, enough := time.NewTicker(pause), time.After(patience)
	defer ticker.Stop()
	for {
		if err := lock(file); !errors.Is(err, errHeld) {
			return err
		}
		select {
		case <-ticker.C:
		case <-enough:
			return errHeld
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// inspect makes sure that a database, if it is there, is open nowhere, not even in a
// program that heeds no lock but the database's, and that it can be read: etcd would
// wait for the one without end, and end the process for the other.
func inspect(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	file, err := await(ctx, path)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil || info.Size() == 0 {
		return err
	}
	// Reading is tried only: to open it for more is to rely on what is in it.
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: patience, ReadOnly: true})
	if err != nil {
		return fmt.Errorf("opening %s: %w", path, err)
	}
	return errors.Join(readAll(db, info.Size()), db.Close())
}
