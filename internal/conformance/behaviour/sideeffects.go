package behaviour

import (
	"bytes"
	"context"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

// sideEffectObserver compares the observable state before and after calls.
type sideEffectObserver struct {
	w *probe.Webhook
	r *check.Record
	// last is the state last observed, and err the error of observing it.
	last []byte
	err  error
}

func hasNoSideEffects(ctx context.Context, w *probe.Webhook, r *check.Record) {
	if w.Config().Observe == nil {
		r.Missing("side effects cannot be observed")
		return
	}
	if !receivesDryRuns(w, r) {
		return
	}
	r.Missing("the webhook has no good answer to a sample that can be a dry run")
	witness := &sideEffectObserver{w: w, r: r}
	if !witness.begin(ctx) {
		return
	}
	for _, v := range w.AnsweredVisits() {
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

// begin observes twice, because a state that changes by itself shows nothing.
func (s *sideEffectObserver) begin(ctx context.Context) bool {
	s.changed(ctx)
	if s.err == nil && s.changed(ctx) {
		s.r.Missing("what is observed changes without calls of the webhook")
		return false
	}
	if s.err != nil {
		s.r.Missing("side effects could not be observed: %v", s.err)
	}
	return s.err == nil
}

// watch sends a review and compares the state.
func (s *sideEffectObserver) watch(
	ctx context.Context, v *probe.Visit, review probe.Review, finding string,
) {
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
		s.r.Checked()
	}
}

// changed reports whether the state differs from the last one.
func (s *sideEffectObserver) changed(ctx context.Context) bool {
	seen, err := s.w.Config().Observe(ctx)
	if err != nil {
		s.err = err
		return false
	}
	changed := !bytes.Equal(seen, s.last)
	s.last = seen
	return changed
}
