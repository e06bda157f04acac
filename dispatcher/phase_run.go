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

// phaseRun is the run of one phase for one request.
type phaseRun struct {
	d          *Dispatcher
	phase      admission.Phase
	operation  admissionv1.Operation
	round      int
	attributes apiadmission.Attributes
	interfaces apiadmission.ObjectInterfaces
	observer   Recorder // nil if there is none
	reviews    review.Builder
	view       matching.View
	validating validatingVersions
	// lastMatch is the match that the recorders receive. It is a field so that
	// passing its address to them does not allocate.
	lastMatch admission.Match
	// candidateBuf holds the positions of candidates, which are few.
	candidateBuf [24]int32
	// noCandidates is set if the index found no webhook for the request.
	noCandidates bool
}

// newRun returns a run of a phase. The caller ends it with end.
func (d *Dispatcher) newRun(
	phase admission.Phase, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
	observer Recorder,
) *phaseRun {
	r, ok := d.runs.Get().(*phaseRun)
	if !ok {
		r = &phaseRun{d: d}
		r.validating.run = r
	}
	r.phase, r.operation, r.round = phase, admissionv1.Operation(a.GetOperation()), 0
	r.attributes, r.interfaces, r.observer = a, o, observer
	r.reviews.Attributes = a
	if phase == admission.Mutating && a.GetReinvocationContext().IsReinvoke() {
		r.round = 1
	}
	return r
}

// end returns the run to the pool if no webhook was a candidate, as for most
// requests. In that case no record refers to the run.
func (r *phaseRun) end() {
	if !r.noCandidates {
		return
	}
	r.noCandidates = false
	r.attributes, r.interfaces, r.reviews.Attributes, r.observer = nil, nil, nil, nil
	r.view.Forget()
	r.d.runs.Put(r)
}

// newView returns the request as matching reads it.
func (r *phaseRun) newView() *matching.View {
	c := &r.d.config
	r.view.Reset(matching.Input{
		Attributes: r.attributes,
		Objects:    r.interfaces,
		Namespaces: c.Namespaces,
		Authorizer: c.Authorizer,
		Record:     r.observer != nil,
		Now:        time.Now,
	})
	return &r.view
}

// webhooksToMatch returns the positions of the webhooks to match: those that
// the index finds, or all webhooks if there is an observer.
func (r *phaseRun) webhooksToMatch(s *matching.Snapshot, view *matching.View) (positions []int32) {
	if r.observer != nil {
		return everyPosition(s.Webhooks(r.phase))
	}
	err := guard.Do(func() { positions = s.Candidates(r.phase, view, r.candidateBuf[:0]) })
	if err != nil {
		// The embedder's mapper panicked. It will panic again when match calls
		// it, and match reports the panic.
		return everyPosition(s.Webhooks(r.phase))
	}
	r.noCandidates = len(positions) == 0
	return positions
}

func everyPosition(webhooks []*matching.Webhook) []int32 {
	all := make([]int32, len(webhooks))
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// match decides whether to call w, the webhook at index. Rules and selectors
// come first. The conditions then read the object in the version that the
// webhook receives.
func (r *phaseRun) match(
	ctx context.Context, view *matching.View, w *matching.Webhook, index int, objects versions,
) (m admission.Match) {
	err := guard.Do(func() {
		failpoint.Hit(ctx, failpoint.BeforeMatch)
		m = w.MatchRules(ctx, view)
		if m.Matched() && len(w.Webhook.MatchConditions) > 0 {
			matchConditions(ctx, view, w, objects, &m)
		}
		failpoint.Hit(ctx, failpoint.AfterMatch)
		if m.Matched() && r.attributes.GetUserInfo() == nil {
			m.Err = apierrors.NewInternalError(errNoUser)
		}
	})
	if err != nil {
		m = admission.Match{Webhook: w.Webhook, Operation: r.operation, Rule: -1}
		m.Err = apierrors.NewInternalError(fmt.Errorf("matching webhook %q panicked: %w", w.Name, err))
	}
	m.Round, m.Index = r.round, index
	return m
}

// matchConditions converts the object to the version that w receives and
// evaluates the conditions.
func matchConditions(
	ctx context.Context, view *matching.View, w *matching.Webhook, objects versions,
	m *admission.Match,
) {
	object, err := objects.in(m.Target.Kind)
	if err != nil {
		m.Stage, m.Err = admission.StageConditions, apierrors.NewInternalError(err)
		return
	}
	w.MatchConditions(ctx, view, object.VersionedAttributes, m)
}

// convert returns the object in the version that a matched webhook receives.
func convert(
	ctx context.Context, objects versions, target *admission.Target,
) (*versionedObjects, error) {
	failpoint.Hit(ctx, failpoint.BeforeConversion)
	object, err := objects.in(target.Kind)
	failpoint.Hit(ctx, failpoint.AfterConversion)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	return object, nil
}

// errNoUser is the error for attributes without user info, which the review
// needs (S-214).
var errNoUser = errors.New("the request has no user info, which the review needs")
