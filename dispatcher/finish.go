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

// finish does work that cannot be interrupted, and does not wait for it beyond
// the end of the context: the error is then an *overdueError, and the work goes
// on for nothing. It must therefore touch nothing that belongs to the request,
// and be bounded by the limits. Work that is quick is done here and now, and
// always finished.
//
// A panic of the work is a panic of finish.
func finish[T any](ctx context.Context, quick bool, doing string, work func() (T, error)) (T, error) {
	if quick {
		return work()
	}
	done := make(chan finished[T], 1)
	go func() {
		// Stays if the work leaves by runtime.Goexit.
		f := finished[T]{err: fmt.Errorf("%s: the goroutine was ended", doing)}
		defer func() { done <- f }()
		f = attempt(work)
	}()
	select {
	case f := <-done:
		if f.panicked != nil {
			panic(f.panicked)
		}
		return f.result, f.err
	case <-ctx.Done():
		var none T
		return none, &overdueError{doing: doing, err: ctx.Err()}
	}
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
