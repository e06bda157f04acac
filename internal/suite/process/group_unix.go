//go:build unix

package process

import (
	"errors"
	"os"
	"syscall"
)

// terminate asks everybody in the group to end.
func (g group) terminate() {
	// Nobody is asked twice: a second SIGTERM tells many servers to end at once.
	if err := g.signal(syscall.SIGTERM); err != nil {
		_ = g.leader.Signal(syscall.SIGTERM)
	}
}

// kill ends everybody in the group, and the leader, who may have gone to another one.
func (g group) kill() {
	_ = g.signal(syscall.SIGKILL)
	_ = g.leader.Kill()
}

// runs reports whether anybody in the group runs.
func (g group) runs() bool {
	// On an error there is nobody, or nobody whom we could do something about.
	return g.signal(0) == nil && !allDead(g.leader.Pid)
}

// ended reports whether the leader has ended, also if nobody has asked yet how.
func (g group) ended() bool {
	return errors.Is(g.leader.Signal(syscall.Signal(0)), os.ErrProcessDone) || isDead(g.leader.Pid)
}

// signal sends a signal to everybody in the group, whose number is that of the leader.
func (g group) signal(s syscall.Signal) error { return syscall.Kill(-g.leader.Pid, s) }
