package dispatcher

import (
	"context"
	"fmt"

	"example.com/gatehouse/admission"
)

// overdueError says that the time of a call was up before an answer that had come
// in could be used.
type overdueError struct {
	// doing is what took too long.
	doing string
	// err is the error of the call's context.
	err error
}

func (e *overdueError) Error() string { return fmt.Sprintf("%s: %v", e.doing, e.err) }

func (e *overdueError) Unwrap() error { return e.err }

// work is something that cannot be interrupted. It must be bounded by the limits, and
// touch nothing that belongs to the request, but for the ObjectInterfaces: what hosts have
// to know of that is said at Mutating.
type work[T any] struct {
	// doing says what it is, for errors.
	doing string
	// quick work is done here and now, and always finished.
	quick bool
	do    func() (T, error)
	// drop is for work that is never begun; nil if there is nothing to be done then.
	drop func()
}

// finish does work for a webhook, and does not wait for it beyond the end of the context:
// the error is then an *overdueError, and the work goes on for nothing, in the place
// that it has, or is dropped.
//
// A panic of the work is a panic of finish.
func finish[T any](ctx context.Context, free *places, o owner, w work[T]) (T, error) {
	if w.quick {
		return w.do()
	}
	if ctx.Err() != nil {
		return w.dropped(ctx, w.doing)
	}
	r := free.enter(o)
	if !r.take(ctx) {
		free.leave(o, r)
		return w.dropped(ctx, w.doing+" has to wait for other work of this webhook")
	}
	done := make(chan finished[T], 1)
	go func() {
		// Stays if the work leaves by runtime.Goexit.
		f := finished[T]{err: fmt.Errorf("%s: the goroutine was ended", w.doing)}
		defer func() {
			r.release()
			free.leave(o, r)
			done <- f
		}()
		f = attempt(w.do)
	}()
	select {
	case f := <-done:
		if f.panicked != nil {
			panic(f.panicked)
		}
		return f.result, f.err
	case <-ctx.Done():
		return overdue[T](ctx, w.doing)
	}
}

// dropped drops work that there was no time to begin.
func (w *work[T]) dropped(ctx context.Context, doing string) (T, error) {
	if w.drop != nil {
		w.drop()
	}
	return overdue[T](ctx, doing)
}

func overdue[T any](ctx context.Context, doing string) (none T, err error) {
	return none, &overdueError{doing: doing, err: ctx.Err()}
}

// finished is how some work ended.
type finished[T any] struct {
	result   T
	err      error
	panicked *admission.PanicError
}

// attempt does the work and returns how it ended.
func attempt[T any](work func() (T, error)) (f finished[T]) {
	defer func() {
		if r := recover(); r != nil {
			f.panicked = admission.Contained(r)
		}
	}()
	f.result, f.err = work()
	return f
}
