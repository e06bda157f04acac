package behaviour

import (
	"context"
	"slices"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// alone is the check of each webhook on its own.
func alone(repeats *repeats) []check.Check {
	return []check.Check{{
		Check: report.Check{
			ID: "C-IDEMPOTENT", Group: report.Behaviour, Level: report.Must,
			Title: "changes nothing about what it has made itself",
			Why:   "A webhook sees its own work again: with every update of the object, and in the same request if its reinvocationPolicy is IfNeeded and another webhook changed the object after it. What it adds is there twice then, or what it sets changes each time.",
			Fix:   "Look for what is to be added before adding it: a container by its name, a variable, a volume. Use no value that is another one with every call, such as the time, if there is one already.",
		},
		Each: ifMutating(repeats.stayTheSame),
	}}
}

func (rs *repeats) stayTheSame(ctx context.Context, w *probe.Webhook, r *check.Record) {
	r.Lacks(nothingToChange)
	for _, v := range w.Good() {
		t := rs.of(ctx, w, v.Sample)
		if t == nil {
			continue
		}
		r.Saw()
		f := finding(v.Name, paths(t.changes), t.evidence...)
		switch {
		case t.refused:
			r.Find(f, "the webhook refuses what it has made of the object itself")
		case len(t.changes) > 0:
			r.Find(f, "called again, the webhook changes what it has made of the object itself")
		}
	}
}

// repeats remembers what came of having webhooks called on their own output, because four
// checks ask for it.
type repeats struct{ known map[visit]*repeated }

// visit is a sample at a webhook.
type visit struct {
	w *probe.Webhook
	s *probe.Sample
}

// of returns what came of it; nil if nothing could be learned.
func (rs *repeats) of(ctx context.Context, w *probe.Webhook, s *probe.Sample) *repeated {
	at := visit{w, s}
	if t, ok := rs.known[at]; ok {
		return t
	}
	if rs.known == nil {
		rs.known = map[visit]*repeated{}
	}
	t := repeat(ctx, w, s.Request)
	rs.known[at] = t
	return t
}

// repeated is what came of having a webhook called on its own output.
type repeated struct {
	// refused reports whether it was denied then.
	refused bool
	changes []explain.Change
	// evidence is kept if there is something wrong.
	evidence []*probe.Exchange
}

// repeat has a webhook called, and called again on what it has made of the object. It
// returns nil if nothing can be learned from that.
func repeat(ctx context.Context, w *probe.Webhook, r *admission.Request) *repeated {
	if r.Object == nil {
		return nil
	}
	first, err := w.Alone(ctx, r)
	if err != nil || !first.Allowed {
		return nil
	}
	second, err := w.Alone(ctx, again(r, first.Object))
	if err != nil {
		return nil
	}
	t := &repeated{}
	if second.Allowed {
		t.changes = changes(first.Object, second.Object)
	} else {
		t.refused = slices.ContainsFunc(second.Calls, func(c admission.Call) bool { return c.Outcome == admission.Rejected })
		if !t.refused {
			return nil // there was no answer
		}
	}
	if !t.good() {
		t.evidence = slices.Concat(probe.Exchanges(first), probe.Exchanges(second))
	}
	return t
}

// good reports whether the webhook left its own output as it was, as far as that was seen.
func (t *repeated) good() bool { return t != nil && !t.refused && len(t.changes) == 0 }
