package test

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"example.com/gatehouse/internal/cli/command"
)

// undisturbed is for the time in which there are processes to stop. The first interruption
// ends ctx, and that is enough: a second one would end gatehouse before it has stopped them,
// which does not take long. What is returned ends that time.
//
// It begins before the first interruption. If it began with it, a second one might come
// while nobody heeds signals.
func undisturbed(ctx context.Context) func() {
	command.Draining(ctx)
	heeded := make(chan os.Signal, 1) // by nobody: what does not fit is dropped
	signal.Notify(heeded, os.Interrupt, syscall.SIGTERM)
	return func() { signal.Stop(heeded) }
}
