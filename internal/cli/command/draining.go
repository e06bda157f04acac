package command

import (
	"context"
	"sync"
)

type drainingKey struct{}

// AllowDraining lets a command that gets the context say, by Draining, that it ends
// by itself when it is interrupted and wants to be waited for. The channel is closed
// when it has.
func AllowDraining(ctx context.Context) (context.Context, <-chan struct{}) {
	said := make(chan struct{})
	say := sync.OnceFunc(func() { close(said) })
	return context.WithValue(ctx, drainingKey{}, say), said
}

// Draining is for commands that have something to put in order which may take
// longer than others get. It may be called again, and without AllowDraining; neither
// has an effect.
func Draining(ctx context.Context) {
	if say, ok := ctx.Value(drainingKey{}).(func()); ok {
		say()
	}
}
