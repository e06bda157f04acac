package harness

import (
	"context"
	"sync"
)

// deadline is a context that a webhook ends, not a clock.
type deadline struct {
	context.Context
	passed chan struct{}
	once   sync.Once
}

func newDeadline() *deadline { return &deadline{passed: make(chan struct{})} }

func (d *deadline) pass() { d.once.Do(func() { close(d.passed) }) }

// Done implements context.Context.
func (d *deadline) Done() <-chan struct{} { return d.passed }

// Err implements context.Context.
func (d *deadline) Err() error {
	select {
	case <-d.passed:
		return context.DeadlineExceeded
	default:
		return nil
	}
}
