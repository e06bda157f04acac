package model

import (
	"fmt"
	"slices"
	"strings"

	"example.com/gatehouse/admission"
)

// Outcome is what became of a request in one phase.
type Outcome struct {
	// Calls are the mutating webhooks that were called, in order, as
	// CONFIGURATION/WEBHOOK. Validating webhooks are called in parallel.
	Calls []string
	// Revisions are the revisions at which webhooks without a fault were
	// called, as WEBHOOK@REVISION, and FailedOpen the webhooks whose failures
	// were ignored, both in alphabetical order.
	Revisions, FailedOpen []string
	// Verdict is "allowed", or the webhook that denied and how.
	Verdict string
	// Labels are those that patches have left on the object, as NAME=VALUE, in
	// alphabetical order.
	Labels []string
}

// String returns the outcome on one line. Equal outcomes have equal lines.
func (o *Outcome) String() string {
	return fmt.Sprintf("%s; calls %v, answers %v, failed open %v, labels %v", o.Verdict, o.Calls,
		o.Revisions, o.FailedOpen, o.Labels)
}

// The verdicts. That of an internal error has no name, because its text has
// none.
const (
	allowed  = "allowed"
	internal = "internal error"
)

func deniedBy(webhook string) string { return "denied by " + webhook }
func failedAt(webhook string) string { return "failed at " + webhook }

// Counts are how many calls there were, how many of them of webhooks with a
// fault, and how those ended that were not allowed.
type Counts struct {
	Calls, Faulty, Denied, FailedClosed, FailedOpen, Internal int64
}

// Add adds others.
func (c *Counts) Add(o Counts) {
	c.Calls += o.Calls
	c.Faulty += o.Faulty
	c.Denied += o.Denied
	c.FailedClosed += o.FailedClosed
	c.FailedOpen += o.FailedOpen
	c.Internal += o.Internal
}

// Predict returns what has to become of a request in a state.
func Predict(s State, phase admission.Phase, r Request) (Outcome, Counts) {
	o, c, _ := PredictLost(s, phase, r, Outcome{}, 0)
	return o, c
}

// PredictLost is Predict for a request of which so many calls were lost before
// they reached webhooks without a fault: those of the first webhooks that have
// no answer in what was observed. ok is false if there are not so many. Lost
// calls count as calls of webhooks with a fault.
func PredictLost(
	s State, phase admission.Phase, r Request, seen Outcome, lost int,
) (o Outcome, c Counts, ok bool) {
	p := prediction{phase: phase, request: r, outcome: Outcome{Verdict: allowed}, lost: lost,
		answers: seen.Revisions}
	o, c = p.in(s)
	return o, c, p.lost == 0
}

func (p *prediction) in(s State) (Outcome, Counts) {
	labels := map[string]string{}
	for _, c := range s {
		for i := range c.Webhooks {
			w := &c.Webhooks[i]
			if !w.visits(p.request) {
				continue
			}
			p.visit(c, w, labels)
			if p.outcome.Verdict != allowed && p.phase == admission.Mutating {
				return p.done(nil) // a request that is refused leaves its object as it was
			}
		}
	}
	return p.done(labels)
}

type prediction struct {
	phase   admission.Phase
	request Request
	outcome Outcome
	counts  Counts
	// lost is the number of calls to be lost, of webhooks without one of the
	// answers.
	lost    int
	answers []string
}

func (p *prediction) visit(c *Configuration, w *Webhook, labels map[string]string) {
	p.counts.Calls++
	if p.phase == admission.Mutating {
		p.outcome.Calls = append(p.outcome.Calls, c.Name+"/"+w.Name)
	}
	end := p.ending(w)
	if end != answers {
		p.counts.Faulty++
	}
	switch end {
	case answers:
		p.answered(w, labels)
	case denies:
		p.counts.Denied++
		p.object(deniedBy(w.Name))
	case spoils:
		p.counts.Internal++
		p.object(internal)
	case fails:
		if w.Ignore {
			p.counts.FailedOpen++
			p.outcome.FailedOpen = append(p.outcome.FailedOpen, w.Name)
			return
		}
		p.counts.FailedClosed++
		p.object(failedAt(w.Name))
	}
}

// ending returns how a call of the webhook ends.
func (p *prediction) ending(w *Webhook) ending {
	switch {
	case w.Fault != "":
		return endingOf(w.Fault, p.phase)
	case p.lost > 0 && !slices.Contains(p.answers, w.answer()):
		p.lost--
		return fails
	default:
		return answers
	}
}

// answer is how an outcome shows that the webhook has answered.
func (w *Webhook) answer() string { return fmt.Sprintf("%s@%d", w.Name, w.Revision) }

// answered is a visit to a webhook without a fault.
func (p *prediction) answered(w *Webhook, labels map[string]string) {
	p.outcome.Revisions = append(p.outcome.Revisions, w.answer())
	switch verdictOn(p.phase, w.Revision, p.request) {
	case no:
		p.counts.Denied++
		p.object(deniedBy(w.Name))
	case patch:
		labels[w.Role] = fmt.Sprint(w.Revision)
	}
}

// object is an objection to the request: the first one counts.
func (p *prediction) object(verdict string) {
	if p.outcome.Verdict == allowed {
		p.outcome.Verdict = verdict
	}
}

func (p *prediction) done(labels map[string]string) (Outcome, Counts) {
	o := p.outcome
	slices.Sort(o.Revisions)
	slices.Sort(o.FailedOpen)
	o.Labels = sorted(labels)
	return o, p.counts
}

func sorted(labels map[string]string) []string {
	var list []string
	for name, value := range labels {
		list = append(list, name+"="+value)
	}
	slices.SortFunc(list, strings.Compare)
	return list
}
