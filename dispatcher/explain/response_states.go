package explain

import (
	"encoding/json"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
)

// stateList collects the states of the object.
type stateList struct {
	*builder
	// kind is the kind of the request's object.
	kind   schema.GroupVersionKind
	states []State
	// unsent is set while the object that the client sent is to come, but is not
	// known.
	unsent bool
}

// listStates returns the states of the object: as stored, as sent, before and
// after each patch, and the final one. There are none unless all calls were
// traced, or if the request has no object.
func (b *builder) listStates() []State {
	r := b.response
	if traced := countTraced(r.Calls); traced < len(r.Calls) {
		if traced > 0 {
			b.addProblem("%d of %d calls were not traced: changes and fields are missing",
				len(r.Calls)-traced, len(r.Calls))
		}
		return nil
	}
	deletion := r.Request != nil && r.Request.Operation == admissionv1.Delete
	if deletion && b.Object == nil {
		return nil
	}
	l := stateList{builder: b, unsent: b.Request.Object == nil && !deletion}
	if r.Request != nil {
		l.kind = r.Request.Kind
	}
	if l.kind.Empty() && len(r.Calls) > 0 {
		l.kind = r.Calls[len(r.Calls)-1].Target.Kind
	}
	l.add(b.Request.OldObject, l.kind, Writer{By: ByStored})
	l.add(b.Request.Object, l.kind, Writer{By: ByUser})
	round := 0
	l.addPolicies(round)
	for i := range r.Calls {
		if r.Calls[i].Round > round {
			round++
			l.addPolicies(round)
		}
		l.addCall(&r.Calls[i])
	}
	if round == 0 {
		l.addPolicies(1)
	}
	l.addFinal()
	return l.states
}

func countTraced(calls []admission.Call) (n int) {
	for i := range calls {
		if calls[i].Trace != nil {
			n++
		}
	}
	return n
}

// add adds a state, if there is an object.
func (l *stateList) add(object json.RawMessage, kind schema.GroupVersionKind, by Writer) {
	if object != nil {
		l.states = append(l.states, State{Kind: kind, Object: object, By: by})
	}
}

// addCall adds the states before and after the patch of a call.
func (l *stateList) addCall(c *admission.Call) {
	t, kind := c.Trace, c.Target.Kind
	if t.Before == nil && t.Patched == nil && t.After == nil {
		return
	}
	if c.Webhook == nil || kind.Empty() || t.Before == nil || t.Patched == nil || t.After == nil {
		l.addProblem("the record of call %d of round %d is incomplete: its changes are missing", c.Index,
			c.Round)
		return
	}
	l.add(t.Before, kind, l.writerBefore(kind))
	by := Writer{By: ByWebhook, Webhook: c.Webhook.Name, Configuration: c.Webhook.Configuration,
		Round: c.Round, Index: c.Index}
	l.add(t.Patched, kind, by)
	by.By = ByDefaulting
	l.add(t.After, kind, by)
}

// writerBefore returns the writer of the next state, which is not a webhook's.
func (l *stateList) writerBefore(kind schema.GroupVersionKind) Writer {
	switch {
	case l.unsent || len(l.states) == 0:
		l.unsent = false
		l.addProblem("the object that the user sent is missing: other fields that were added before the first webhook count as the user's")
		return Writer{By: ByUser}
	case l.states[len(l.states)-1].Kind != kind:
		return Writer{By: ByConversion}
	case l.states[len(l.states)-1].By.By == ByPolicy: // a mutation is defaulted
		by := l.states[len(l.states)-1].By
		by.By = ByDefaulting
		return by
	default:
		return Writer{By: ByServer}
	}
}

// addFinal adds the final object. The last state stands for it if it is
// missing, or if the mutating phase denied the request.
func (l *stateList) addFinal() {
	mutated := l.response.Allowed ||
		slices.ContainsFunc(l.Rounds, func(r Round) bool { return r.Phase == validating })
	switch {
	case mutated && l.Object != nil:
		by := Writer{By: ByServer}
		if l.unsent {
			by = l.writerBefore(l.kind)
		}
		l.add(l.Object, l.kind, by)
		return
	case mutated:
		l.addProblem("the final object is missing: the last known state is shown")
	}
	// Show the state in the kind of the request.
	for len(l.states) > 1 && l.states[len(l.states)-1].Kind != l.kind {
		l.states = l.states[:len(l.states)-1]
	}
	if len(l.states) > 0 {
		l.Object = l.states[len(l.states)-1].Object
	}
}
