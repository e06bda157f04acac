//go:build !unix

package processgroup

import "os/exec"

// Own has no effect on the group: there are none. When its context ends, the command is
// killed, and its descendants remain.
func Own(command *exec.Cmd) { command.WaitDelay = Patience }

// End does nothing.
func End(*exec.Cmd) {}
