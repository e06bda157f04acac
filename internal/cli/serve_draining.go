package cli

import (
	"context"
	"sync"
)

type drainingKey struct{}

// allowDraining lets a command that gets the context say, by draining, that it ends
// by itself when it is interrupted and wants to be waited for. The channel is closed
// when it has.
func allowDraining(ctx context.Context) (context.Context, <-chan struct{}) {
	said := make(chan struct{})
	say := sync.OnceFunc(func() { close(said) })
	return context.WithValue(ctx, drainingKey{}, say), said
}

// draining is for commands that have something to put in order which may take
// longer than others get.
func draining(ctx context.Context) {
	if say, ok := ctx.Value(drainingKey{}).(func()); ok {
		say()
	}
}
