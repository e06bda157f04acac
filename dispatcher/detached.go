package dispatcher

import (
	"context"
	"errors"
	"fmt"

	"example.com/gatehouse/internal/engine/guard"
)

// deadlineError is the error of a call whose time was up before the engine
// could use the response that had arrived.
type deadlineError struct {
	// task is what took too long.
	task string
	// err is the error of the call's context.
	err error
}

func (e *deadlineError) Error() string { return fmt.Sprintf("%s: %v", e.task, e.err) }

func (e *deadlineError) Unwrap() error { return e.err }

// task is work for a webhook that cannot be interrupted. The limits bound it.
// It works on memory of its own and must not use the request, except for the
// ObjectInterfaces: Dispatcher.Mutating tells hosts about these.
type task[T any] struct {
	// name says what the task does, for errors.
	name string
	// inline tasks are quick: they run on the caller's goroutine and are always
	// completed.
	inline bool
	run    func() (T, error)
	// discard is called for a task that is never run; nil if there is nothing
	// to do.
	discard func()
}

// runDetached runs a task of a webhook on a goroutine of its own. If ctx ends
// first, it returns a *deadlineError: the task keeps its slot until it returns,
// and its result is dropped. If ctx ends before there is a free slot, the task
// is discarded. A panic of the task is an *admission.PanicError.
func runDetached[T any](
	ctx context.Context, slots *detachedLimiter, w webhookKey, t task[T],
) (none T, err error) {
	if t.inline {
		return t.run()
	}
	if ctx.Err() != nil {
		return none, t.expire(ctx, t.name)
	}
	release, ok := slots.acquire(ctx, w)
	if !ok {
		return none, t.expire(ctx, t.name+" has to wait for other work of this webhook")
	}
	result, err := guard.Detached(ctx, func() (T, error) {
		defer release()
		return t.run()
	}, nil)
	var abandoned *guard.AbandonedError
	switch {
	case errors.As(err, &abandoned):
		return none, &deadlineError{task: t.name, err: abandoned.Err}
	case errors.Is(err, guard.ErrGoexit):
		return none, fmt.Errorf("%s: %w", t.name, err)
	}
	return result, err
}

// expire discards a task that there is no time left to run.
func (t *task[T]) expire(ctx context.Context, name string) error {
	if t.discard != nil {
		t.discard()
	}
	return &deadlineError{task: name, err: ctx.Err()}
}
