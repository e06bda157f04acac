package dispatcher

import (
	"context"

	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/failpoint"
	"example.com/gatehouse/matching"
	"example.com/gatehouse/reinvocation"
)

// reinvocationKey is the key of the reinvocation.State in the reinvocation
// context. It differs from the key of kube-apiserver's plugin, so that one
// chain may hold both plugins.
const reinvocationKey = "gatehouse/MutatingAdmissionWebhook"

// stateOf returns the request's reinvocation.State. The first round creates it.
func stateOf(c apiadmission.ReinvocationContext) *reinvocation.State {
	if state, ok := c.Value(reinvocationKey).(*reinvocation.State); ok {
		return state
	}
	state := &reinvocation.State{}
	c.SetValue(reinvocationKey, state)
	return state
}

// mutate runs one round of the mutating webhooks. If it returns an error, the
// request's object is as it was before the round (S-173).
func (r *phaseRun) mutate(ctx context.Context, webhooks *matching.Snapshot) error {
	chain := r.attributes.GetReinvocationContext()
	state := stateOf(chain)
	state.Begin(chain.IsReinvoke(), r.attributes.GetObject())
	defer func() { state.End(r.attributes.GetObject()) }()

	objects := &mutatingVersions{run: r, view: r.newView()}
	admitted := false
	defer func() {
		if !admitted { // also after a panic
			objects.undo()
		}
	}()
	for _, position := range r.webhooksToMatch(webhooks, objects.view) {
		i, w := int(position), webhooks.Webhooks(r.phase)[position]
		ctx := failpoint.Visit(ctx, w.Name)
		m := r.match(ctx, objects.view, w, i, objects)
		if m.Matched() && chain.IsReinvoke() && !state.Due(w.UID) {
			m.Stage = admission.StageReinvocation
		}
		r.recordMatch(ctx, m)
		if m.Err != nil {
			return m.Err
		}
		if !m.Matched() {
			continue
		}
		object, err := convert(ctx, objects, &m.Target)
		if err != nil {
			return err
		}
		c := r.newCall(w, &m.Target, object, i)
		c.do(ctx)
		if c.patched != nil {
			objects.update(c.patched)
			c.tracer.updated(objects.current)
		}
		r.recordCall(ctx, &c.record)
		if state.Called(w.UID, c.record.Changed, w.Reinvocable()) {
			chain.SetShouldReinvoke()
		}
		if err := r.outcomeError(ctx, &c.record); err != nil {
			return err // without writing back
		}
	}
	failpoint.Hit(ctx, failpoint.BeforeWriteBack)
	err := objects.writeBack()
	failpoint.Hit(ctx, failpoint.AfterWriteBack)
	admitted = err == nil
	return err
}
