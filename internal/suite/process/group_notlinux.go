//go:build unix && !linux

package process

import (
	"errors"
	"syscall"
)

// attributes makes a command the leader of a process group.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// allDead returns false: the state of the processes is unknown.
func allDead(int) bool { return false }

// isDead returns false: the state of the process is unknown.
func isDead(int) bool { return false }

// memory returns an error: it is not known.
func (g group) memory() (int64, error) { return 0, errors.ErrUnsupported }
