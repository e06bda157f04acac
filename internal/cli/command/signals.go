package command

import (
	"context"
	"os"
	"os/signal"
)

type signalsKey struct{}

// CatchSignals returns a context that is done when the process receives one of the
// signals. The first one is caught, the second one ends the process.
func CatchSignals(ctx context.Context, signals ...os.Signal) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	received, ended := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(received, signals...)
	go func() {
		defer close(ended)
		if _, caught := <-received; caught {
			signal.Stop(received)
			cancel()
		}
	}()
	return context.WithValue(ctx, signalsKey{}, func() {
		signal.Stop(received) // after it, received has each signal that was caught
		close(received)
		<-ended
	})
}

// StopCatching makes signals end the process from now on. It returns ctx's error if one
// was caught before: none is lost. Call it once at most. It has no effect without
// CatchSignals.
func StopCatching(ctx context.Context) error {
	if stop, ok := ctx.Value(signalsKey{}).(func()); ok {
		stop()
	}
	return ctx.Err()
}
