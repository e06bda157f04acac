//go:build unix

package processgroup

import (
	"errors"
	"os/exec"
	"syscall"
)

// Own starts a command in its own process group. When its context ends, all
// processes of the group get an interrupt.
func Own(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.WaitDelay = Patience
	command.Cancel = func() error {
		err := syscall.Kill(-command.Process.Pid, syscall.SIGINT)
		if errors.Is(err, syscall.ESRCH) {
			return nil // it has just ended
		}
		return err
	}
}

// End kills the processes that the command has left behind. The command itself
// has ended: after its time only it was killed. The kernel does not reuse the
// ID of a group that has processes.
func End(command *exec.Cmd) {
	if command.Process != nil { // it has been started
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) // mostly no process is left
	}
}
