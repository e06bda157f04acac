package processtest

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Runs reports whether a process runs; it need not be a child of the test. A
// process that has exited keeps its PID as a zombie until its parent, or init,
// waits for it. Without /proc, Runs returns true for a zombie.
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
