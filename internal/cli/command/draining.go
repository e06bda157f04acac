package command

import (
	"context"
	"sync"
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
