//go:build unix && !linux

package process

import "syscall"

// attributes has a command lead a group of its own.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// allDead reports that it is not known whether all processes of a group have ended.
func allDead(int) bool { return false }

// isDead reports that it is not known whether a process has ended.
func isDead(int) bool { return false }
