package harness

import (
	"time"

	"example.com/gatehouse/dispatcher/explain"
)

// Observation is everything about a request that its client, its host, the
// webhooks or the operator of the server can see. Compare compares every
// exported field.
type Observation struct {
	// Error is what the host got.
	Error Failure
	// Object and OldObject are as admission left them; Options likewise.
	Object    Held
	OldObject Held
	Options   Held

	// Metadata and Request are the annotations of an audit event of that level.
	Metadata map[string]string
	Request  map[string]string

	// Warnings are in the order in which they were given; those of the
	// validating phase are sorted.
	MutatingWarnings   []string
	ValidatingWarnings []string

	// Calls are the requests that webhooks got; those of the validating phase
	// are sorted.
	MutatingCalls   []Call
	ValidatingCalls []Call
	// UIDs are complaints about the uids of reviews.
	UIDs []string

	// Metrics are the series of apiserver's admission metrics, with values of
	// counters and counts of histograms.
	Metrics []string
	// Spans are the spans below the request's; those of the validating phase
	// are sorted.
	Spans []Span
	// MutatingLatency and ValidatingLatency are the tracked times on a clock
	// that moves when reviews arrive, see ticking.
	MutatingLatency   time.Duration
	ValidatingLatency time.Duration

	// HostCalls are the calls to the host's authorizer, listers, convertor and
	// defaulter.
	HostCalls HostCalls
	// InTree is what the host's own plugins saw, call by call.
	InTree []string
	// ShouldReinvoke and IsReinvoke are the reinvocation context's values at
	// the end.
	ShouldReinvoke bool
	IsReinvoke     bool

	// validated is true if the mutating phase admitted the request.
	validated bool
	// over is true if the request's context had ended when admission returned.
	over bool
	// entered is the object as the mutating plugin got it last.
	entered Held
	// explanation is what an observer had to say, and received the uids of the
	// reviews that webhooks got; only on the side Explained.
	explanation *explain.Explanation
	received    []string
	// versioned returns the object in the version of the request.
	versioned func() ([]byte, error)
}

// Failure is an error, or none if it is zero.
type Failure struct {
	// Type is the Go type, or "panic".
	Type string
	// Status is the whole metav1.Status in JSON, if it has one.
	Status string
	Text   string
}

// Held is an object that the host holds.
type Held struct {
	// Type is the Go type, empty if there is no object.
	Type string
	// JSON is the object's JSON, without a conversion.
	JSON string
	// Go is the object with the Go types in interfaces, and with nil
	// distinguished from empty lists and maps.
	Go string
	// Changed is true if the object differs from the one before admission.
	Changed bool
}

// Call is a request that a webhook got.
type Call struct {
	Method string
	Path   string
	Query  string
	Proto  string
	Host   string
	Header map[string][]string
	Length int64
	// Body has "UID" for the review's uid.
	Body string

	// uid is that uid.
	uid string
}

// Span is a span of a trace, without times and identities.
type Span struct {
	Name   string
	Parent string
	Status string
	// Review is the call whose review has the uid of the span, such as
	// "mutating 0"; empty if none arrived.
	Review string
	// Attributes and Events are in the order in which they were added.
	Attributes []string
	Events     []string
}

// denied reports whether the request ended with an error.
func (o *Observation) denied() bool { return o.Error.Type != "" }

// Explanation returns what gatehouse had to say about the request, and the uids
// of the reviews that webhooks got. It is nil on all sides but Explained.
func (o *Observation) Explanation() (e *explain.Explanation, received []string) {
	return o.explanation, o.received
}

// Over reports whether the request's context had ended when admission was done.
func (o *Observation) Over() bool { return o.over }

// Entered returns the object as the mutating plugin got it last.
func (o *Observation) Entered() Held { return o.entered }
