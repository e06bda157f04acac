package command

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

type drainingKey struct{}

// AllowDraining returns a context with which a command can call Draining. The
// channel is closed when it does: the command then ends by itself after an
// interruption, and the caller must wait for it.
func AllowDraining(ctx context.Context) (context.Context, <-chan struct{}) {
	announced := make(chan struct{})
	announce := sync.OnceFunc(func() { close(announced) })
	return context.WithValue(ctx, drainingKey{}, announce), announced
}

// Draining announces that the command needs time to clean up after an
// interruption. Further calls have no effect, nor do calls without
// AllowDraining.
func Draining(ctx context.Context) {
	if announce, ok := ctx.Value(drainingKey{}).(func()); ok {
		announce()
	}
}

// HoldSignals protects the time in which there are processes to stop. It announces that
// the command is draining, because the first interruption ends ctx; and it drops further
// ones, which would end gatehouse before it has stopped the processes. The returned
// function ends the protection.
//
// Call it before the first process starts: a second interruption may follow the first one
// at once.
func HoldSignals(ctx context.Context) func() {
	Draining(ctx)
	signals := make(chan os.Signal, 1) // never read: further signals are dropped
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	return func() { signal.Stop(signals) }
}
