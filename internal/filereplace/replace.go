package filereplace

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Write writes a file atomically: it renames a file that it writes beside it. A file that
// exists keeps its mode; a new one gets mode, minus the umask. A link stays a link: Write
// writes its target, which need not exist only if path is no link. After an error, the
// file is as it was, and nothing is left beside it.
func Write(path string, text []byte, mode fs.FileMode) (err error) {
	path, err = target(path)
	if err != nil {
		return err
	}
	before, statErr := os.Stat(path)
	name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".gatehouse-%016x", rand.Uint64()))
	draft, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return namedAs(path, err)
	}
	_, err = draft.Write(text)
	if statErr == nil {
		err = errors.Join(err, draft.Chmod(before.Mode().Perm()))
	}
	// Without Sync, the name could survive a loss of power and the text could not.
	if err = errors.Join(err, draft.Sync(), draft.Close()); err == nil {
		err = os.Rename(name, path)
	}
	if err != nil {
		return errors.Join(namedAs(path, err), os.Remove(name))
	}
	return nil
}

// target returns the file that a link points to; the path itself if it is no link.
func target(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return path, nil // opening the file reports the error
	}
	return filepath.EvalSymlinks(path)
}

// namedAs returns the reason of an error of package os as that of a file of which the
// caller knows: not of the one beside it.
func namedAs(path string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: e.Op, Path: path, Err: e.Err}
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return &fs.PathError{Op: "replace", Path: path, Err: e.Err}
	}
	return err
}
