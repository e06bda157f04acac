package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// attributes has a command lead a group of its own, and be killed when the thread that
// starts it ends.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// allDead reports whether all processes of a group have ended and only wait to be asked how.
// They wait forever where the first process of a container does not care for orphans, which
// is so in the containers of many CI systems.
func allDead(group int) bool {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		return false
	}
	for _, file := range stats {
		stat, err := os.ReadFile(file)
		if err == nil && runsIn(group, stat) {
			return false
		}
	}
	return true
}

// isDead reports whether a process has ended and only waits to be asked how.
func isDead(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	dead, _ := parse(stat)
	return dead
}

// runsIn reports whether a process is in a group and has not ended.
func runsIn(group int, stat []byte) bool {
	dead, in := parse(stat)
	return !dead && in == strconv.Itoa(group)
}

// parse returns what a stat says of a process: whether it has ended, and its group. It is
// "PID (NAME) STATE PARENT GROUP …", where the name may be anything.
func parse(stat []byte) (dead bool, group string) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 3 {
		return false, ""
	}
	return bytes.ContainsAny(fields[0], "ZX"), string(fields[2])
}
