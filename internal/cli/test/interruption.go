package test

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"example.com/gatehouse/internal/cli/command"
)

// holdSignals protects the time in which there are processes to stop. The first
// interruption ends ctx; a second one would end gatehouse before it has stopped
// them. The returned function ends the protection.
//
// It starts before the first interruption, because a second one may follow at
// once.
func holdSignals(ctx context.Context) func() {
	command.Draining(ctx)
	signals := make(chan os.Signal, 1) // never read: further signals are dropped
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	return func() { signal.Stop(signals) }
}
