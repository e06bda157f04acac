package client

import (
	"context"
	"net/http"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"example.com/gatehouse/admission"
)

// abandon does work of the host's, which knows of no context, and does not wait for
// it when ctx is done. Whatever comes of it later goes to late, on another
// goroutine. A panic of the work is raised again unless nobody is left to have it.
func abandon[T any](ctx context.Context, work func() (T, error), late func(T)) (T, error) {
	type outcome struct {
		result   T
		err      error
		panicked *admission.PanicError
	}
	var o outcome
	arrived := make(chan outcome)
	detach(func() {
		o.result, o.err = work()
	}, func(panicked *admission.PanicError) {
		o.panicked = panicked
		select {
		case arrived <- o:
		case <-ctx.Done():
			late(o.result)
		}
	})
	select {
	case o := <-arrived:
		if o.panicked != nil {
			panic(o.panicked)
		}
		return o.result, o.err
	case <-ctx.Done():
		// The cause, because that is what net/http's own transport returns.
		var none T
		return none, context.Cause(ctx)
	}
}

// abandoning leaves a round tripper behind that does not return when the
// request's context is done, because a credential plugin runs in it.
//
// A request that is left goes on to hold its connection and counts as under way
// until the round tripper returns. Hence it belongs around retiring, not inside.
type abandoning struct {
	next http.RoundTripper
}

var _ utilnet.RoundTripperWrapper = abandoning{}

// RoundTrip passes on and waits for the answer or for the end of the context.
func (a abandoning) RoundTrip(req *http.Request) (*http.Response, error) {
	return abandon(req.Context(), func() (*http.Response, error) {
		return a.next.RoundTrip(req)
	}, drop)
}

// WrappedRoundTripper lets others look underneath.
func (a abandoning) WrappedRoundTripper() http.RoundTripper { return a.next }

// drop gives the connection of a response back that nobody reads.
func drop(resp *http.Response) {
	if resp == nil || resp.Body == nil {
		return
	}
	// The body may be the host's, too, and its panic would end the process.
	defer func() { _ = recover() }()
	_ = resp.Body.Close()
}
