//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package etcd

import (
	"errors"
	"os"
	"syscall"
)

// lock locks a file until it is closed. It returns errLocked if the file is
// already locked. bbolt uses the same lock.
func lock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return err
}
