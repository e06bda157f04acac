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
	bbolterrors "go.etcd.io/bbolt/errors"

	"example.com/gatehouse/internal/filelock"
)

// lockTimeout bounds how long Start waits for data that another process has
// locked: a server that is being replaced may still be stopping.
const lockTimeout = time.Second

// lockInterval is the time between two attempts to lock a file.
const lockInterval = 20 * time.Millisecond

// databasePath returns the path of etcd's database in a data folder.
func databasePath(data string) string { return filepath.Join(data, "member", "snap", "db") }

// lockDataDir creates the data folder and locks it until the Closer is closed.
// etcd itself waits forever for a folder that is in use, and reports another
// server's new files as damaged.
func lockDataDir(ctx context.Context, data string) (io.Closer, error) {
	if err := os.MkdirAll(data, 0o700); err != nil {
		return nil, fmt.Errorf("creating the data folder: %w", err)
	}
	held, err := lockFile(ctx, filepath.Join(data, "lock"))
	if err != nil {
		return nil, inUse(data, err)
	}
	if err := checkFiles(ctx, databasePath(data)); err != nil {
		return nil, errors.Join(inUse(data, err), held.Close())
	}
	return held, nil
}

func inUse(data string, err error) error {
	if errors.Is(err, filelock.ErrLocked) || errors.Is(err, bbolterrors.ErrTimeout) {
		return fmt.Errorf("the data in %s is in use by another server", data)
	}
	return err
}

// lockFile locks a file, which it creates if necessary, until the file is
// closed.
func lockFile(ctx context.Context, path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := retryLock(ctx, file); err != nil {
		return nil, errors.Join(fmt.Errorf("locking %s: %w", path, err), file.Close())
	}
	return file, nil
}

func retryLock(ctx context.Context, file *os.File) error {
	ticker, timeout := time.NewTicker(lockInterval), time.After(lockTimeout)
	defer ticker.Stop()
	for {
		if err := filelock.Lock(file); !errors.Is(err, filelock.ErrLocked) {
			return err
		}
		select {
		case <-ticker.C:
		case <-timeout:
			return filelock.ErrLocked
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// checkFiles returns an error if the database is corrupted or if another
// program has it open. Programs such as etcd itself lock only the database.
func checkFiles(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	file, err := lockFile(ctx, path)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil || info.Size() == 0 {
		return err
	}
	// bbolt reads less of a corrupted file if it opens it for reading.
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockTimeout, ReadOnly: true})
	if err != nil {
		return fmt.Errorf("opening %s: %w", path, err)
	}
	return errors.Join(checkDatabase(db, info.Size()), db.Close())
}
