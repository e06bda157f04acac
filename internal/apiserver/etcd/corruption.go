package etcd

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"

	"go.etcd.io/bbolt"
	"go.etcd.io/etcd/server/v3/storage/wal"
	"go.uber.org/zap"
)

// etcd panics or ends the process if its files are corrupted, partly in its own
// goroutines. So Start reads them completely before it starts etcd.

// checkDatabase reads every page of a database whose file has the given size.
func checkDatabase(db *bbolt.DB, size int64) (err error) {
	defer func() { err = corruptionError(db.Path(), recover(), err) }()
	// A corrupted page may refer to addresses outside of the mapped file.
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

// checkWAL reads the write-ahead log as etcd does. An incomplete record at the
// end, as after a crash, is no error: etcd repairs it.
func checkWAL(data string) (err error) {
	folder := filepath.Join(data, "member", "wal")
	if !wal.Exist(folder) {
		return nil
	}
	defer func() { err = corruptionError(folder, recover(), err) }()
	snapshots, err := wal.ValidSnapshotEntries(zap.NewNop(), folder)
	if err != nil {
		return err
	}
	if len(snapshots) == 0 {
		return errors.New("it has no beginning")
	}
	log, err := wal.OpenForRead(zap.NewNop(), folder, snapshots[len(snapshots)-1])
	if err != nil {
		return err
	}
	_, _, _, err = log.ReadAll() // closes the log
	return err
}

// corruptionError adds the path to an error or a recovered panic. It returns
// nil if both are nil.
func corruptionError(path string, panicked any, err error) error {
	switch {
	case panicked != nil:
		return fmt.Errorf("%s is damaged: %v", path, panicked)
	case err != nil:
		return fmt.Errorf("%s is damaged: %w", path, err)
	}
	return nil
}
