package dispatcher

import (
	"context"
	"net/http"
	"net/url"

	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// Source returns the webhooks in force.
type Source interface {
	// Current returns the webhooks in force now. The engine calls it once per
	// request and phase, from many goroutines, and uses the snapshot for the
	// rest of the phase; the snapshot must never change.
	//
	// A source that is not ready, or that is compiling a change, may wait until it
	// is ready, or until ctx is done, and then return ErrNotReady, which the client
	// receives as 403 Forbidden (S-006). Any other error ends the request with a
	// 500.
	Current(ctx context.Context) (*matching.Snapshot, error)
}

// StaticSource is a Source with static webhooks. Requests cannot change static
// webhooks, so static webhooks may receive requests that change others (S-052).
type StaticSource interface {
	Source
	// Static returns only the static webhooks, which come before all others in
	// the snapshots of Current. The engine calls it instead of Current for
	// requests for kinds that configure admission. It must not wait for the
	// other webhooks. Its results have the same meaning as those of Current.
	Static(ctx context.Context) (*matching.Snapshot, error)
}

// Client returns how to reach webhooks.
type Client interface {
	// Endpoint returns how to reach w. The engine calls it before every call,
	// from many goroutines, so it should be fast. It must return when ctx is
	// done, at the latest at the end of the webhook's timeout. An error makes
	// the call fail (S-242). Do not cache errors: the next call calls Endpoint
	// again.
	Endpoint(ctx context.Context, w *admission.Webhook) (*Endpoint, error)
}

// Endpoint is the address of a webhook and how to send it a review. It is
// read-only.
type Endpoint struct {
	// URL is the webhook's address: scheme, host and path, nothing else. The
	// engine adds the timeout query.
	URL url.URL
	// HTTP performs the exchange. Its transport verifies the server, sends the
	// credentials, adds the User-Agent and decides which redirects to follow.
	// Its Timeout is the default for calls without a deadline (S-262). When the
	// request's context is done, neither RoundTrip nor reading the body may
	// block. An error that wraps an *admission.PanicError counts as that panic.
	HTTP *http.Client
	// Meter, if it is not nil, measures each exchange, for a client that keeps
	// metrics of its requests.
	Meter Meter
}

// Meter is called before a review of size bytes is sent to an address, which has
// the timeout query. The engine sends the review with the context that it returns,
// and calls ended once, before the response is decoded: with the last response, or
// nil if there was none, and with the size of its body, or -1 if the body was not
// read to its end. None of the functions may block; the engine recovers from their
// panics.
type Meter func(ctx context.Context, address *url.URL, size int) (
	sent context.Context, ended func(response *http.Response, body int))

// Recorder receives the engine's records, for metrics, traces and explanations.
// The engine calls it on the request's goroutine. A Recorder cannot change the
// outcome; the engine recovers from its panics. It must not modify a record,
// and must copy a record that it keeps after it returns. Values that the record
// refers to do not change during the request.
type Recorder interface {
	// RecordMatch receives the match of a webhook.
	RecordMatch(ctx context.Context, m *admission.Match)
	// RecordCall receives a call that has ended.
	RecordCall(ctx context.Context, c *admission.Call)
}

// Policies runs requests through the policies in force. Package
// dispatcher/policy implements it.
type Policies interface {
	// Admit runs one round of the mutating policies, before the mutating
	// webhooks. It may change the request's object. recorder is nil if no
	// records are needed. An error ends the request.
	Admit(
		ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
		recorder PolicyRecorder,
	) error
	// Validate runs the validating policies, before the validating webhooks.
	Validate(
		ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
		recorder PolicyRecorder,
	) error
}

// PolicyRecorder receives the records of policies. A Config.Observer or a
// PhaseRecorder that implements it receives them as well.
type PolicyRecorder interface {
	// RecordPolicy receives the record of a policy in a round, for every policy
	// of the phase.
	RecordPolicy(ctx context.Context, p *admission.PolicyRecord)
}

// PhaseObserver is a Config.Observer that the engine also calls when a phase
// begins and ends. Package dispatcher/collector implements it.
type PhaseObserver interface {
	Recorder
	// The engine calls BeginPhase before each run of a phase, on the request's
	// goroutine, also for requests that no webhook may receive. The
	// PhaseRecorder that it returns receives the records of this run instead of
	// the observer; if it is nil, the observer receives them. BeginPhase must
	// not modify the object, and must copy the parts that it keeps.
	BeginPhase(
		ctx context.Context, phase admission.Phase, a apiadmission.Attributes,
		o apiadmission.ObjectInterfaces,
	) PhaseRecorder
}

// PhaseRecorder receives the records of one run of a phase.
type PhaseRecorder interface {
	Recorder
	// The engine calls EndPhase when the run ends. err is the error that the
	// phase returns; nil if it allows the request.
	EndPhase(err error)
}

// PolicyObserver is a PhaseObserver that also observes policies in a separate
// plugin, which runs before the plugin for the webhooks of the same phase; see
// plugin.WithPolicies. Package dispatcher/collector implements it.
type PolicyObserver interface {
	PhaseObserver
	// BeginPolicies is BeginPhase for such a run. If err is nil when it ends,
	// the phase continues with the webhooks.
	BeginPolicies(
		ctx context.Context, phase admission.Phase, a apiadmission.Attributes,
		o apiadmission.ObjectInterfaces,
	) PhaseRecorder
}
