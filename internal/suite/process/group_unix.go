//go:build unix

package process

import (
	"errors"
	"os"
	"syscall"
)

// terminate sends SIGTERM to the group.
func (g group) terminate() {
	// To the leader only if the group is gone: on a second SIGTERM many servers
	// exit at once.
	if err := g.signal(syscall.SIGTERM); err != nil {
		_ = g.leader.Signal(syscall.SIGTERM)
	}
}

// kill kills the group, and the leader, who may have left it.
func (g group) kill() {
	_ = g.signal(syscall.SIGKILL)
	_ = g.leader.Kill()
}

// runs reports whether a process of the group runs.
func (g group) runs() bool {
	// On an error there is no process that could be signaled.
	return g.signal(0) == nil && !allDead(g.leader.Pid)
}

// ended reports whether the leader has ended, even before Wait returns.
func (g group) ended() bool {
	return errors.Is(g.leader.Signal(syscall.Signal(0)), os.ErrProcessDone) || isDead(g.leader.Pid)
}

// signal sends a signal to the group, whose ID is that of the leader.
func (g group) signal(s syscall.Signal) error { return syscall.Kill(-g.leader.Pid, s) }
