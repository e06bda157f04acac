package processtest

import (
	"os"
	"os/signal"
)

// AllowInterrupts makes SIGINT end the commands that this process starts from now on.
// Without it, SIGINT has no effect on them if a shell script runs the tests as a job in the
// background: its jobs ignore SIGINT, and so do the commands that they start.
func AllowInterrupts() {
	if signal.Ignored(os.Interrupt) {
		signal.Notify(make(chan os.Signal, 1), os.Interrupt) // commands do not inherit handlers
	}
}
