package dispatcher

import (
	"context"
	"errors"
	"fmt"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/failpoint"
	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/internal/engine/review"
	"example.com/gatehouse/matching"
)

// pass is one request's way through one phase.
type pass struct {
	d          *Dispatcher
	phase      admission.Phase
	operation  admissionv1.Operation
	round      int
	attributes apiadmission.Attributes
	objects    apiadmission.ObjectInterfaces
	reviews    review.Builder
	// observer is nil when nobody asked for records.
	observer Recorder
	// view is the request as matching sees it.
	view matching.View
	// parallel holds the versions of the objects in the validating phase.
	parallel parallelVersions
	// told is what recorders are being told about a webhook.
	told admission.Match
	// room is for the candidates, which are few.
	room [24]int32
	// unseen says that there was no candidate.
	unseen bool
}

// begin returns the pass of a request.
func (d *Dispatcher) begin(phase admission.Phase, a apiadmission.Attributes, o apiadmission.ObjectInterfaces, observer Recorder) *pass {
	p, ok := d.passes.Get().(*pass)
	if !ok {
		p = &pass{d: d}
		p.parallel.pass = p
	}
	p.phase, p.operation, p.round = phase, admissionv1.Operation(a.GetOperation()), 0
	p.attributes, p.objects, p.observer = a, o, observer
	p.reviews.Attributes = a
	if phase == admission.Mutating && a.GetReinvocationContext().IsReinvoke() {
		p.round = 1
	}
	return p
}

// end is for when a pass has come to its end. That of a request that no webhook was
// considered for, which most are, can be used again: nobody else has heard of it.
func (p *pass) end() {
	if !p.unseen {
		return
	}
	p.unseen = false
	p.attributes, p.objects, p.reviews.Attributes = nil, nil, nil
	p.view.Forget()
	p.d.passes.Put(p)
}

// newView returns the view of the request.
func (p *pass) newView() *matching.View {
	p.view.Reset(matching.Input{
		Attributes: p.attributes,
		Objects:    p.objects,
		Namespaces: p.d.config.Namespaces,
		Authorizer: p.d.config.Authorizer,
		Record:     p.observer != nil,
		Now:        time.Now,
	})
	return &p.view
}

// candidates returns the positions of the webhooks to match: those that the index finds, or
// all of them if there is an observer.
func (p *pass) candidates(s *matching.Snapshot, view *matching.View) (positions []int32) {
	if p.observer != nil {
		return everyPosition(s.Webhooks(p.phase))
	}
	err := guard.Do(func() { positions = s.Candidates(p.phase, view, p.room[:0]) })
	if err != nil {
		// The host's mapper panicked. It will panic again, and match reports that for
		// the first webhook that needs the mapper.
		return everyPosition(s.Webhooks(p.phase))
	}
	p.unseen = len(positions) == 0
	return positions
}

func everyPosition(webhooks []*matching.Webhook) []int32 {
	all := make([]int32, len(webhooks))
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// match decides whether the request visits w, the webhook at index: rules and selectors
// first, then, on the object in the version that the webhook asks for, the conditions.
func (p *pass) match(ctx context.Context, view *matching.View, w *matching.Webhook, index int, objects versions) (m admission.Match) {
	err := guard.Do(func() {
		failpoint.Hit(ctx, failpoint.BeforeMatch)
		m = w.MatchRules(ctx, view)
		if m.Matched() && len(w.Webhook.MatchConditions) > 0 {
			matchConditions(ctx, view, w, objects, &m)
		}
		failpoint.Hit(ctx, failpoint.AfterMatch)
		if m.Matched() && p.attributes.GetUserInfo() == nil {
			m.Err = apierrors.NewInternalError(errNoUser)
		}
	})
	if err != nil {
		m = admission.Match{Webhook: w.Webhook, Operation: p.operation, Rule: -1}
		m.Err = apierrors.NewInternalError(fmt.Errorf("matching webhook %q panicked: %w", w.Name, err))
	}
	m.Round, m.Index = p.round, index
	return m
}

// matchConditions converts the object to the version that w asks for and matches the
// conditions.
func matchConditions(ctx context.Context, view *matching.View, w *matching.Webhook, objects versions, m *admission.Match) {
	versioned, err := objects.in(m.Target.Kind)
	if err != nil {
		m.Stage, m.Err = admission.StageConditions, apierrors.NewInternalError(err)
		return
	}
	w.MatchConditions(ctx, view, versioned.VersionedAttributes, m)
}

// errNoUser is the answer to attributes without user info, which the review
// could not be filled from (S-214).
var errNoUser = errors.New("the request has no user info, which webhooks have to be told")
