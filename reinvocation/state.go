package reinvocation

import (
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
)

// State records, for one request, which webhooks may have to be called again.
// The zero value is the state before the first round.
type State struct {
	// invoked are the uids of reinvocable webhooks that were called and since
	// whose calls the object has not changed.
	invoked sets.Set[string]
	// due are the uids of reinvocable webhooks that were called before the
	// object changed. A uid stays in due after the second call, because there
	// is no third round.
	due sets.Set[string]
	// output is the object at the end of the last round, to detect changes by
	// in-tree plugins between the rounds.
	output runtime.Object
}

// Begin starts a round. In the second round it compares object with the object
// at the end of the first: if they differ, every invoked webhook becomes due
// (S-163).
func (s *State) Begin(reinvoke bool, object runtime.Object) {
	if reinvoke && s.invoked.Len() > 0 && !apiequality.Semantic.DeepEqual(s.output, object) {
		s.markDue()
	}
}

// Due reports whether a matching webhook is called in the second round.
func (s *State) Due(uid string) bool { return s.due.Has(uid) }

// Called records a finished call, even one that failed. changed reports whether
// the call changed the object, reinvocable whether the webhook's
// reinvocationPolicy is IfNeeded. Called returns whether the chain must run a
// second round, which is the case if the object changed (S-166).
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

// End ends a round. object is nil for a DELETE. End copies the object, because
// in-tree plugins change it in place (S-164), unless no webhook could become
// due.
func (s *State) End(object runtime.Object) {
	s.output = nil
	if object != nil && s.invoked.Len() > 0 {
		s.output = object.DeepCopyObject()
	}
}

// markDue makes all invoked webhooks due.
func (s *State) markDue() {
	if s.invoked.Len() == 0 {
		return
	}
	s.due = s.due.Union(s.invoked)
	s.invoked = nil
}
