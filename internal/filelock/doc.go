// Package filelock locks files, so that two processes do not write the same one.
package filelock

import "errors"

// ErrLocked says that another process, or another open file of this one, has the lock.
var ErrLocked = errors.New("it is locked")
