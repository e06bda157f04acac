package guard

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"example.com/gatehouse/admission"
)

// Recover calls handle with the panic of the function that defers it, an
// *admission.PanicError with the stack of the panic:
//
//	defer guard.Recover(handle)
//
// It does nothing if the function does not panic.
func Recover(handle func(error)) {
	if r := recover(); r != nil {
		handle(&admission.PanicError{Value: r, Stack: debug.Stack()})
	}
}

// Call calls f and returns its error. If f panics, the error is an
// *admission.PanicError.
func Call(f func() error) (err error) {
	defer Recover(func(panicked error) { err = panicked })
	return f()
}

// Do is Call for a function without an error.
func Do(f func()) error {
	return Call(func() error {
		f()
		return nil
	})
}

// ErrGoexit is the error of a function that ended its goroutine, as
// testing.T.FailNow does.
var ErrGoexit = errors.New("the call ended its goroutine")

// AbandonedError is the error of Detached if the context ended first.
type AbandonedError struct {
	// Err is the context's error.
	Err error
}

// Error returns the text of Err.
func (e *AbandonedError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *AbandonedError) Unwrap() error { return e.Err }

// Grace is how much longer than its parent a Graced context lasts. GraceAfter is how long it
// lasts if the parent has ended before: a busy machine may need more than Grace for work
// that usually takes no time.
const (
	Grace      = 10 * time.Millisecond
	GraceAfter = time.Second
)

// Graced returns a context with the values of ctx that ends Grace after ctx, or after
// GraceAfter if ctx has ended already. Use it to wait for work that usually takes no time: a
// request whose deadline has passed then still gets the result, and fails when it is sent to
// a webhook, as in kube-apiserver (S-265). Its Err is always context.Canceled. Call the
// function to release it.
func Graced(ctx context.Context) (context.Context, context.CancelFunc) {
	graced, cancel := context.WithCancel(context.WithoutCancel(ctx))
	grace := Grace
	if ctx.Err() != nil {
		grace = GraceAfter
	}
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	return graced, func() {
		stop()
		cancel()
	}
}

// Within calls f as Detached does, and returns the error late if f takes longer than a
// Graced ctx.
func Within[T any](ctx context.Context, f func() (T, error), late error) (T, error) {
	ctx, cancel := Graced(ctx)
	defer cancel()
	result, err := Detached(ctx, f, nil)
	if _, abandoned := errors.AsType[*AbandonedError](err); abandoned {
		err = late
	}
	return result, err
}

// Detached calls f on a new goroutine and returns its result. If ctx ends
// first, Detached returns an *AbandonedError and f runs on; late, unless it is
// nil, then receives the result of f, on the goroutine of f. The error is an
// *admission.PanicError if f panics, and ErrGoexit if f ends its goroutine. A
// panic of f after ctx has ended, and one of late, is dropped.
func Detached[T any](ctx context.Context, f func() (T, error), late func(T)) (T, error) {
	type outcome struct {
		result T
		err    error
	}
	arrived := make(chan outcome)
	go func() {
		o := outcome{err: ErrGoexit}
		defer func() {
			select {
			case arrived <- o:
			case <-ctx.Done():
				if late != nil {
					_ = Do(func() { late(o.result) })
				}
			}
		}()
		o.err = Call(func() (err error) {
			o.result, err = f()
			return err
		})
	}()
	select {
	case o := <-arrived:
		return o.result, o.err
	case <-ctx.Done():
		var none T
		return none, &AbandonedError{ctx.Err()}
	}
}
