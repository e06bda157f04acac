package client

import (
	"context"
	"net/http"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"example.com/gatehouse/admission"
)

// detachOnDone runs work on a separate goroutine and returns its result or, if ctx ends
// first, ctx's cause. The result of work that ends later goes to discard, on the goroutine
// of work. A panic of work is raised again in the caller, unless the caller has
// returned.
func detachOnDone[T any](ctx context.Context, work func() (T, error), discard func(T)) (T, error) {
	type result struct {
		value    T
		err      error
		panicked *admission.PanicError
	}
	var r result
	done := make(chan result)
	goRecover(func() {
		r.value, r.err = work()
	}, func(panicked *admission.PanicError) {
		r.panicked = panicked
		select {
		case done <- r:
		case <-ctx.Done():
			discard(r.value)
		}
	})
	select {
	case r := <-done:
		if r.panicked != nil {
			panic(r.panicked)
		}
		return r.value, r.err
	case <-ctx.Done():
		// net/http's transport returns the cause, too.
		var none T
		return none, context.Cause(ctx)
	}
}

// detachTransport returns when the request's context is done, even if the next round
// tripper does not, because a credential plugin runs in it.
//
// An abandoned round tripper holds its connection and counts as in flight until it
// returns. Hence a detachTransport must wrap the drainTransport, not vice versa.
type detachTransport struct {
	next http.RoundTripper
}

var _ utilnet.RoundTripperWrapper = detachTransport{}

// RoundTrip waits for the response or for the end of the context.
func (t detachTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	return detachOnDone(req.Context(), func() (*http.Response, error) {
		return t.next.RoundTrip(req)
	}, closeResponse)
}

// WrappedRoundTripper implements net.RoundTripperWrapper.
func (t detachTransport) WrappedRoundTripper() http.RoundTripper { return t.next }

// closeResponse closes the body of a response that is not used, and so releases its
// connection.
func closeResponse(resp *http.Response) {
	if resp == nil || resp.Body == nil {
		return
	}
	// The body may come from the embedder's transport; its panic would end the process.
	defer func() { _ = recover() }()
	_ = resp.Body.Close()
}
