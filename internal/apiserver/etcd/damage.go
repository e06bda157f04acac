package etcd

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"

	"go.etcd.io/bbolt"
	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/storage/wal"
)

// etcd takes its own files for granted: where they are damaged it panics, partly in
// goroutines of its own, or ends the process. So they are read once before.

// databaseIn and logIn are where etcd has its database, and the log of what is to be in
// it.
func databaseIn(data string) string { return filepath.Join(data, "member", "snap", "db") }
func logIn(data string) string      { return filepath.Join(data, "member", "wal") }

// readAll reads every page of a database. The size is the file's.
func readAll(db *bbolt.DB, size int64) (err error) {
	defer func() { err = damaged(db.Path(), recover(), err) }()
	// What a page says of its place may lead anywhere.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	return db.View(func(tx *bbolt.Tx) error {
		if tx.Size() > size {
			return fmt.Errorf("%d of %d bytes are there", size, tx.Size())
		}
		return tx.ForEach(func(_ []byte, b *bbolt.Bucket) error {
			return b.ForEach(func(_, _ []byte) error { return nil })
		})
	})
}

// readLog reads the log as etcd does when it starts. The end may be missing, as after
// a crash: etcd repairs that.
func readLog(config *embed.Config) (err error) {
	folder := logIn(config.Dir)
	if !wal.Exist(folder) {
		return nil
	}
	defer func() { err = damaged(folder, recover(), err) }()
	// The log wants a logger, and this is what makes the configuration's.
	if err := config.Validate(); err != nil {
		return err
	}
	snapshots, err := wal.ValidSnapshotEntries(config.GetLogger(), folder)
	if err != nil {
		return err
	}
	if len(snapshots) == 0 {
		return errors.New("it has no beginning")
	}
	log, err := wal.OpenForRead(config.GetLogger(), folder, snapshots[len(snapshots)-1])
	if err != nil {
		return err
	}
	_, _, _, err = log.ReadAll() // and closes it
	return err
}

// damaged says where the damage is that led to a panic, or to an error.
func damaged(where string, panicked any, err error) error {
	switch {
	case panicked != nil:
		return fmt.Errorf("%s is damaged: %v", where, panicked)
	case err != nil:
		return fmt.Errorf("%s is damaged: %w", where, err)
	}
	return nil
}
