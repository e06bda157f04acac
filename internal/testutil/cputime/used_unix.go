//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Used returns the CPU time of the process, which does not depend on the load of the machine.
func Used() (time.Duration, error) {
	var used syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()), err
}
