package world

import (
	"time"

	"example.com/gatehouse/dispatcher/explain"
)

// Observation is all that can be seen of a request: by its client, by its host,
// by the webhooks, and by whoever operates the server. Compare looks at every
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
	// MutatingLatency and ValidatingLatency are the tracked times on a clock that moves
	// when reviews arrive, see ticking.
	MutatingLatency   time.Duration
	ValidatingLatency time.Duration

	// Asked is what the host's parts were asked for.
	Asked Asked
	// InTree is what the host's own plugins saw, call by call.
	InTree []string
	// ShouldReinvoke and IsReinvoke are what the reinvocation context said at
	// the end.
	ShouldReinvoke bool
	IsReinvoke     bool

	// validated says that the mutating phase let the request through.
	validated bool
	// over says that the request's context had ended when admission was done.
	over bool
	// entered is the object as the mutating plugin got it last.
	entered Held
	// explanation is what an observer had to say, and received the uids of the reviews
	// that webhooks got; only on the side Explained.
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
	// JSON is the object, in the form in which it is held.
	JSON string
	// Go is the object with the Go types of what interfaces hold, and with nil and empty lists
	// and maps told apart.
	Go string
	// Changed says that it is not what it was.
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
	// Review is the call whose review has the uid that the span tells of, such as
	// "mutating 0"; empty if none arrived.
	Review string
	// Attributes and Events are in the order in which they were added.
	Attributes []string
	Events     []string
}

// denied reports whether the request ended with an error.
func (o *Observation) denied() bool { return o.Error.Type != "" }

// Explanation returns what gatehouse had to say about the request, and the uids of the
// reviews that webhooks got. It is nil on all sides but Explained.
func (o *Observation) Explanation() (e *explain.Explanation, received []string) {
	return o.explanation, o.received
}

// Over reports whether the request's context had ended when admission was done.
func (o *Observation) Over() bool { return o.over }

// Entered returns the object as the mutating plugin got it last.
func (o *Observation) Entered() Held { return o.entered }
