package processgroup

import (
	"errors"
	"os/exec"
	"syscall"
	"time"
)

// Patience is how long a command may take to end when it is told to.
const Patience = 20 * time.Second

// Own has a command start in a process group of its own. When its context ends all
// processes of the group are sent an interrupt.
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

// End kills what the command has left behind. The command has ended: if its time was up
// only the command itself was killed. The number of the group is not used again as long as
// a process is in it.
func End(command *exec.Cmd) {
	if command.Process != nil { // it has been started
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) // mostly no process is left
	}
}
