package dispatcher

import (
	"context"
	"fmt"
	"runtime"

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

// work is something that cannot be interrupted. It must touch nothing that belongs to the
// request, and be bounded by the limits.
type work[T any] struct {
	// doing says what it is, for errors.
	doing string
	// quick work is done here and now, and always finished.
	quick bool
	do    func() (T, error)
	// drop is for work that is never begun; nil if there is nothing to be done then.
	drop func()
}

// places are for work that somebody may stop waiting for: what is left behind takes one
// until it has come to its end, and when there is none the next has to wait. As all of it
// computes, more at a time would not be done sooner.
type places chan struct{}

func newPlaces() places { return make(places, 4*runtime.GOMAXPROCS(0)) }

// finish does work, and does not wait for it beyond the end of the context: the error
// is then an *overdueError, and the work goes on for nothing, or is dropped.
//
// A panic of the work is a panic of finish.
func finish[T any](ctx context.Context, free places, w work[T]) (T, error) {
	if w.quick {
		return w.do()
	}
	select {
	case free <- struct{}{}:
	case <-ctx.Done():
		if w.drop != nil {
			w.drop()
		}
		return w.overdue(ctx)
	}
	done := make(chan finished[T], 1)
	go func() {
		// Stays if the work leaves by runtime.Goexit.
		f := finished[T]{err: fmt.Errorf("%s: the goroutine was ended", w.doing)}
		defer func() {
			<-free
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
		return w.overdue(ctx)
	}
}

func (w *work[T]) overdue(ctx context.Context) (none T, err error) {
	return none, &overdueError{doing: w.doing, err: ctx.Err()}
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
