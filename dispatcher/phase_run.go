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
	validating validatingVersions
	// lastMatch is the match that the recorders receive. It is a field so that
	// passing its address to them does not allocate.
	lastMatch admission.Match
}

// newRun returns a run of a phase.
func (d *Dispatcher) newRun(
	phase admission.Phase, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
	observer Recorder,
) *phaseRun {
	r := &phaseRun{
		d: d, phase: phase, operation: admissionv1.Operation(a.GetOperation()),
		attributes: a, interfaces: o, observer: observer, reviews: review.Builder{Attributes: a},
	}
	r.validating.run = r
	if phase == admission.Mutating && a.GetReinvocationContext().IsReinvoke() {
		r.round = 1
	}
	return r
}

// newView returns the request as matching reads it.
func (r *phaseRun) newView() *matching.View {
	c := &r.d.config
	return matching.NewView(matching.Input{
		Attributes: r.attributes,
		Objects:    r.interfaces,
		Namespaces: c.Namespaces,
		Authorizer: c.Authorizer,
		Record:     r.observer != nil,
		Now:        time.Now,
	})
}

// webhooksToMatch returns the positions of the webhooks to match: those that
// the index finds, or all webhooks if there is an observer.
func (r *phaseRun) webhooksToMatch(s *matching.Snapshot, view *matching.View) (positions []int32) {
	if r.observer != nil {
		return everyPosition(s.Webhooks(r.phase))
	}
	err := guard.Do(func() { positions = s.Candidates(r.phase, view) })
	if err != nil {
		// The embedder's mapper panicked. It will panic again when match calls
		// it, and match reports the panic.
		return everyPosition(s.Webhooks(r.phase))
	}
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
