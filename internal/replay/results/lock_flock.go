//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package results

import (
	"errors"
	"os"
	"syscall"
)

// lock locks a file until it is closed. It returns errLocked if the file is locked
// already. On a volume without locks it does nothing.
func lock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return nil
}
