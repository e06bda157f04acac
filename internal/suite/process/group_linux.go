package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// attributes makes a command the leader of a process group, killed when the
// thread that started it ends.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// allDead reports whether all processes of a group have ended, and are zombies.
// Zombies remain where the init process of a container does not reap orphans,
// as in the containers of many CI systems.
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

// isDead reports whether a process is a zombie or gone.
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

// parse returns the state and the group of a process. The format is "PID (NAME)
// STATE PARENT GROUP …", with any NAME.
func parse(stat []byte) (dead bool, group string) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 3 {
		return false, ""
	}
	return bytes.ContainsAny(fields[0], "ZX"), string(fields[2])
}

// memory returns the resident memory of a group, in bytes.
func (g group) memory() (int64, error) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, err
	}
	var pages int64
	for _, file := range stats {
		stat, err := os.ReadFile(file)
		if err == nil && runsIn(g.leader.Pid, stat) {
			pages += residentPages(stat)
		}
	}
	return pages * int64(os.Getpagesize()), nil
}

// residentPages returns field 24 of a stat file: the resident set, in pages.
func residentPages(stat []byte) int64 {
	const field = 24 - 3 // after the name, which is the second field
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= field {
		return 0
	}
	pages, _ := strconv.ParseInt(string(fields[field]), 10, 64) // the kernel writes numbers
	return pages
}
