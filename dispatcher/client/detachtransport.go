package client

import (
	"context"
	"errors"
	"net/http"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/guard"
)

// detachOnDone runs work on a separate goroutine and returns its result or, if
// ctx ends first, ctx's cause, as net/http's transport does. If work ends
// later, discard receives its result, on the goroutine of work; discard may be
// nil. The error is an *admission.PanicError if work panics or ends its
// goroutine.
func detachOnDone[T any](
	ctx context.Context, work func() (T, error), discard func(T),
) (T, error) {
	value, err := guard.Detached(ctx, work, discard)
	var abandoned *guard.AbandonedError
	if errors.As(err, &abandoned) {
		return value, context.Cause(ctx)
	}
	return value, goexitToPanic(err)
}

// goexitToPanic returns guard.ErrGoexit as an *admission.PanicError, and other
// errors unchanged: the engine treats both ends of a call alike.
func goexitToPanic(err error) error {
	if err == guard.ErrGoexit {
		return &admission.PanicError{Value: err}
	}
	return err
}

// detachTransport returns when the request's context is done, even if the next
// round tripper does not, because a credential plugin runs in it.
//
// An abandoned round tripper holds its connection and counts as in flight until
// it returns. Hence a detachTransport must wrap the drainTransport, not vice
// versa.
type detachTransport struct{ wrapper }

// RoundTrip waits for the response or for the end of the context.
func (t detachTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	return detachOnDone(req.Context(), func() (*http.Response, error) {
		return t.next.RoundTrip(req)
	}, closeResponse)
}

// closeResponse closes the body of a response that is not used, and so releases
// its connection.
func closeResponse(resp *http.Response) {
	if resp != nil && resp.Body != nil {
		_ = resp.Body.Close()
	}
}
