package dispatcher

import (
	"context"
	"net/http"
	"net/url"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// A Source knows which webhooks are in force.
type Source interface {
	// Current returns the webhooks in force now. The engine calls it once per
	// request and phase, from many goroutines, and keeps to what it got for the
	// rest of that phase; the snapshot must therefore never change.
	//
	// A source that is not ready yet may wait until it is, or until ctx is
	// done. If it still is not, it returns ErrNotReady, which clients see as
	// 403 Forbidden (S-006). Any other error ends the request with a 500: a
	// source that cannot be read must never be taken for one without webhooks.
	Current(ctx context.Context) (*matching.Snapshot, error)
}

// A StaticSource is a Source some of whose webhooks are static: they cannot be
// reconfigured by a request, so they may see those that reconfigure others (S-052).
type StaticSource interface {
	Source
	// Static returns the static webhooks alone, which must come before all others
	// in what Current returns. It is called, in place of Current, for requests for
	// kinds that configure admission, and must not wait for the other webhooks to
	// be known. What it returns, and its errors, mean what Current's do.
	Static(ctx context.Context) (*matching.Snapshot, error)
}

// A Client knows how webhooks are reached.
type Client interface {
	// Endpoint returns how to reach w. The engine calls it before every call,
	// from many goroutines, so it should answer from what it already knows.
	// When ctx is done, which it is at the latest when the webhook's timeout is
	// over, it must not keep the engine waiting any longer. An error counts as a
	// failed call (S-242) and must not be remembered: the next call asks again.
	Endpoint(ctx context.Context, w *admission.Webhook) (*Endpoint, error)
}

// Endpoint is where and how a webhook receives its reviews. It is read-only.
type Endpoint struct {
	// URL is the webhook's address: scheme, host and path, nothing else. The
	// engine adds the timeout query.
	URL url.URL
	// HTTP performs the exchange: its transport verifies and authenticates the
	// backend, adds the User-Agent and decides which redirects are followed; its
	// Timeout, if it has one, is the default for calls without a deadline
	// (S-262). When the request's context is done it must not keep the engine
	// waiting any longer, neither for an answer nor for the rest of its body. An
	// error that wraps an *admission.PanicError counts as that panic.
	HTTP *http.Client
}

// A Recorder turns the engine's records into something for the outside world:
// metrics, traces, explanations. It is called on the request's own goroutine,
// after the fact, and cannot change the outcome; a panic in it is contained.
// A record is shared, must not be modified, and is good until the method returns:
// copy it to keep it. What it refers to stays as it is for as long as the request
// lives.
type Recorder interface {
	// RecordMatch receives whether a webhook matched.
	RecordMatch(ctx context.Context, m *admission.Match)
	// RecordCall receives a finished call.
	RecordCall(ctx context.Context, c *admission.Call)
}
