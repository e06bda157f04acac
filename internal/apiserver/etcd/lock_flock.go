//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package etcd

import (
	"errors"
	"os"
	"syscall"
)

// lock locks a file until it is closed, or the process ends. If somebody else has, it
// returns errHeld. It is the lock that bbolt takes.
func lock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errHeld
	}
	return err
}
