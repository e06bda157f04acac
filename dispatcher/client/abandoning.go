package client

import (
	"context"
	"net/http"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"example.com/gatehouse/admission"
)

// abandoning leaves a round tripper behind that does not return when the
// request's context is done, because the host's code runs in it: a service
// resolver or a credential plugin, which know of no context. Whatever comes of it
// later is dropped.
//
// A request that is left goes on to hold its connection and counts as under way
// until the round tripper returns. Hence it belongs around retiring, not inside.
type abandoning struct {
	next http.RoundTripper
}

var _ utilnet.RoundTripperWrapper = abandoning{}

// trip is how a round trip ended.
type trip struct {
	resp     *http.Response
	err      error
	panicked *admission.PanicError
}

// RoundTrip passes on and waits for the answer or for the end of the context. A
// panic is raised again unless nobody is left to have it.
func (a abandoning) RoundTrip(req *http.Request) (*http.Response, error) {
	var t trip
	ctx, arrived := req.Context(), make(chan trip)
	detach(func() {
		t.resp, t.err = a.next.RoundTrip(req) //nolint:bodyclose // closed by the caller or by drop
	}, func(panicked *admission.PanicError) {
		t.panicked = panicked
		select {
		case arrived <- t:
		case <-ctx.Done():
			t.drop()
		}
	})
	select {
	case t := <-arrived:
		if t.panicked != nil {
			panic(t.panicked)
		}
		return t.resp, t.err
	case <-ctx.Done():
		// The cause, because that is what net/http's own transport returns.
		return nil, context.Cause(ctx)
	}
}

// WrappedRoundTripper lets others look underneath.
func (a abandoning) WrappedRoundTripper() http.RoundTripper { return a.next }

// drop gives the connection of a response back that nobody reads.
func (t trip) drop() {
	if t.resp == nil || t.resp.Body == nil {
		return
	}
	// The body may be the host's, too, and its panic would end the process.
	defer func() { _ = recover() }()
	_ = t.resp.Body.Close()
}
