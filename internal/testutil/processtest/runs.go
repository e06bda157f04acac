package processtest

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Runs reports whether a process runs, which need not be our child. One that has ended may
// still have its number, until somebody has asked how it ended: its parent, or the system's
// first process. Where there is no /proc, such a process is said to run.
func Runs(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = process.Release() }()
	if err := process.Signal(syscall.Signal(0)); errors.Is(err, os.ErrProcessDone) {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		_, err := os.Stat("/proc/self")
		return err != nil // without a /proc there is no more to know
	}
	return !strings.Contains(string(stat), ") Z ")
}
