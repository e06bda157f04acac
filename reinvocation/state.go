package reinvocation

import (
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
)

// State remembers, for one request, which webhooks may have to be called again.
// The zero value is the state before the first round.
type State struct {
	// invoked are the reinvocable webhooks that saw the current object or whose
	// change made it.
	invoked sets.Set[string]
	// due are the reinvocable webhooks that were called before the object
	// changed. A uid stays here after the second call: there is no third.
	due sets.Set[string]
	// output is the object at the end of the last round, to notice changes that
	// in-tree plugins make between the rounds.
	output runtime.Object
}

// Begin starts a round. In the second one, object is compared with what the
// first one left: if they differ, every webhook that was invoked is due (S-163).
func (s *State) Begin(reinvoke bool, object runtime.Object) {
	if reinvoke && s.invoked.Len() > 0 && !apiequality.Semantic.DeepEqual(s.output, object) {
		s.markDue()
	}
}

// Due reports whether a webhook that matches is called in the second round.
func (s *State) Due(uid string) bool { return s.due.Has(uid) }

// Called records a finished call, also one that failed: changed says whether it
// changed the object, reinvocable whether the webhook's policy is IfNeeded. It
// returns whether the chain has to run a second round, which is when the object
// changed (S-166).
func (s *State) Called(uid string, changed, reinvocable bool) (again bool) {
	if changed {
		s.markDue()
	}
	if reinvocable {
		if s.invoked == nil {
			s.invoked = sets.New[string]()
		}
		s.invoked.Insert(uid)
	}
	return changed
}

// End closes a round with the object as it is now, nil for a DELETE. The object
// is copied, because in-tree plugins change it in place (S-164); nothing is
// copied when no webhook could become due.
func (s *State) End(object runtime.Object) {
	s.output = nil
	if object != nil && s.invoked.Len() > 0 {
		s.output = object.DeepCopyObject()
	}
}

// changed makes everything due that was invoked so far.
func (s *State) markDue() {
	if s.invoked.Len() == 0 {
		return
	}
	s.due = s.due.Union(s.invoked)
	s.invoked = nil
}
