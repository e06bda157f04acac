package behaviour

import (
	"bytes"
	"context"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

// witness looks at what can be seen of side effects.
type witness struct {
	w *probe.Webhook
	r *check.Record
	// last is what was seen last, and err why it could not be seen.
	last []byte
	err  error
}

func hasNoSideEffects(ctx context.Context, w *probe.Webhook, r *check.Record) {
	if w.Observe() == nil {
		r.Lacks("side effects cannot be observed")
		return
	}
	if !seesDryRuns(w, r) {
		return
	}
	r.Lacks("the webhook has no good answer to a sample that can be a dry run")
	witness := &witness{w: w, r: r}
	if !witness.begin(ctx) {
		return
	}
	for _, v := range w.Good() {
		if review := dryRun(v); review != nil {
			witness.watch(ctx, v, review, "the dry run has a side effect")
		}
		if *w.SideEffects == registrationv1.SideEffectClassNone {
			witness.watch(ctx, v, v.Review(), "sideEffects is None, but the request has a side effect")
		}
		if witness.err != nil {
			r.Skip("side effects could not be observed any more: %v", witness.err)
			return
		}
	}
}

// begin looks twice, because what changes by itself is no side effect.
func (s *witness) begin(ctx context.Context) bool {
	s.changed(ctx)
	if s.err == nil && s.changed(ctx) {
		s.r.Lacks("what is observed changes while nobody asks the webhook anything")
		return false
	}
	if s.err != nil {
		s.r.Lacks("side effects could not be observed: %v", s.err)
	}
	return s.err == nil
}

// watch looks at what comes of a review.
func (s *witness) watch(ctx context.Context, v *probe.Visit, review probe.Review, finding string) {
	if s.err != nil {
		return
	}
	x := s.w.Send(ctx, v.Name, review)
	changed := s.changed(ctx)
	switch {
	case s.err != nil:
	case changed:
		s.r.Fail(x, "%s: what is observed is not the same after it", finding)
	case x.Answer != nil:
		s.r.Saw()
	}
}

// changed reports whether what is seen is not what was seen last.
func (s *witness) changed(ctx context.Context) bool {
	seen, err := s.w.Observe()(ctx)
	if err != nil {
		s.err = err
		return false
	}
	changed := !bytes.Equal(seen, s.last)
	s.last = seen
	return changed
}
