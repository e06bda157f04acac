package dispatcher

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/failpoint"
	"example.com/gatehouse/matching"
	"example.com/gatehouse/reinvocation"
)

// reinvocationKey is where a request keeps its reinvocation.State. It is not the
// key of kube-apiserver's plugin, so that both may run in one chain.
const reinvocationKey = "gatehouse/MutatingAdmissionWebhook"

// stateOf returns the request's state, making it in the first round.
func stateOf(c apiadmission.ReinvocationContext) *reinvocation.State {
	if state, ok := c.Value(reinvocationKey).(*reinvocation.State); ok {
		return state
	}
	state := &reinvocation.State{}
	c.SetValue(reinvocationKey, state)
	return state
}

// mutate takes the request through one round of the mutating webhooks.
// If the request is refused, its object is as it was at the beginning (S-173).
func (p *pass) mutate(ctx context.Context, webhooks *matching.Snapshot) error {
	chain := p.attributes.GetReinvocationContext()
	state := stateOf(chain)
	state.Begin(chain.IsReinvoke(), p.attributes.GetObject())
	defer func() { state.End(p.attributes.GetObject()) }()

	objects := &serialVersions{pass: p, view: p.newView()}
	admitted := false
	defer func() {
		if !admitted { // after a panic, too
			objects.undo()
		}
	}()
	for _, position := range p.candidates(webhooks, objects.view) {
		i, w := int(position), webhooks.At(p.phase, int(position))
		ctx := failpoint.Visit(ctx, w.Name)
		m := p.match(ctx, objects.view, w, i, objects)
		if m.Matched() && chain.IsReinvoke() && !state.Due(w.UID) {
			m.Stage = admission.StageReinvocation
		}
		p.recordMatch(ctx, m)
		if m.Err != nil {
			return m.Err
		}
		if !m.Matched() {
			continue
		}
		failpoint.Hit(ctx, failpoint.BeforeConversion)
		object, err := objects.in(m.Target.Kind)
		failpoint.Hit(ctx, failpoint.AfterConversion)
		if err != nil {
			return apierrors.NewInternalError(err)
		}
		c := p.newCall(w, &m.Target, object, i)
		c.visit(ctx)
		if c.patched != nil {
			objects.update(c.patched)
			c.tracer.updated(objects.current)
		}
		p.recordCall(ctx, &c.record)
		if state.Called(w.UID, c.record.Changed, w.Reinvocable()) {
			chain.SetShouldReinvoke()
		}
		if err := p.settle(ctx, &c.record); err != nil {
			return err // and nothing is written back
		}
	}
	failpoint.Hit(ctx, failpoint.BeforeWriteBack)
	err := objects.writeBack()
	failpoint.Hit(ctx, failpoint.AfterWriteBack)
	admitted = err == nil
	return err
}
