package outage

import (
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/lint/simulation"
)

// Effect is what an outage does to a request. A greater one is worse.
type Effect uint8

const (
	// Passes: the request succeeds at once, as without the outage.
	Passes Effect = iota
	// Delayed: it succeeds after a delay.
	Delayed
	// MutationLost: it succeeds, but a mutating webhook did not change it.
	MutationLost
	// Refused: it fails.
	Refused
)

// String returns the effect as tables print it.
func (e Effect) String() string {
	return [...]string{
		Passes: "passes", Delayed: "delayed", MutationLost: "mutation lost", Refused: "refused",
	}[e]
}

// Outcome is what happened to a request during an outage.
type Outcome struct {
	Effect Effect
	// Elapsed is how long the request waited for webhooks, and TimedOut says that
	// its deadline ended it.
	Elapsed  time.Duration
	TimedOut bool
	// Failed are the webhooks whose failed calls explain the effect, in order. Of a request
	// that is refused before its deadline, these are the ones that reject it: none if a
	// policy does.
	Failed []*admission.Webhook
	// Message is the error that the client receives; empty if there is none.
	Message string
}

// worseThan reports whether an outcome is worse: it has a worse effect, or takes longer.
func (o *Outcome) worseThan(other *Outcome) bool {
	if o.Effect != other.Effect {
		return o.Effect > other.Effect
	}
	return o.Elapsed > other.Elapsed
}

// OutcomeOf returns the outcome of a request.
func OutcomeOf(r *simulation.Result) *Outcome {
	o := &Outcome{Elapsed: r.Elapsed, TimedOut: r.TimedOut}
	if r.Elapsed > 0 {
		o.Effect = Delayed
	}
	for i := range r.Calls {
		c := &r.Calls[i]
		if c.Outcome == admission.Allowed {
			continue
		}
		if c.Rejects() || r.Allowed() || r.TimedOut {
			o.Failed = append(o.Failed, c.Webhook)
		}
		if c.Webhook.Phase == admission.Mutating {
			o.Effect = MutationLost
		}
	}
	if !r.Allowed() {
		o.Effect = Refused
		o.Message = message(r)
	}
	return o
}

func message(r *simulation.Result) string {
	if r.TimedOut || r.Status == nil {
		return "the deadline of the request is over"
	}
	return r.Status.Message
}
