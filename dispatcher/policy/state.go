package policy

import (
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
)

// stateKey is the key of the state in the reinvocation context.
const stateKey = "gatehouse/MutatingAdmissionPolicy"

// key identifies an invocation in both rounds.
type key struct{ policy, binding, param string }

func (v *invocation) key() key { return key{v.name, v.binding.name, nameOf(v.param)} }

// state is what the rounds of a request know of each other.
//
// Compat: a policy with reinvocationPolicy IfNeeded is due in the second round
// as soon as any policy, also itself, has made a mutation.
type state struct {
	// output is the object at the end of the last round.
	output runtime.Object
	// invoked are the reinvocable invocations since the last change. A change
	// makes them reinvoked.
	invoked, reinvoked map[key]bool
}

// stateOf returns the state of a request. The first round creates it.
func stateOf(c apiadmission.ReinvocationContext) *state {
	if s, ok := c.Value(stateKey).(*state); ok {
		return s
	}
	s := &state{invoked: map[key]bool{}, reinvoked: map[key]bool{}}
	c.SetValue(stateKey, s)
	return s
}

// begin begins a round.
func (s *state) begin(a apiadmission.Attributes) {
	if a.GetReinvocationContext().IsReinvoke() &&
		!apiequality.Semantic.DeepEqual(s.output, a.GetObject()) {
		s.reinvoke()
	}
}

// end ends a round.
func (s *state) end(a apiadmission.Attributes) {
	s.output = nil
	if object := a.GetObject(); object != nil {
		s.output = object.DeepCopyObject()
	}
}

// changed says that a mutation was made: the chain runs again.
func (s *state) changed(a apiadmission.Attributes) {
	s.reinvoke()
	a.GetReinvocationContext().SetShouldReinvoke()
}

func (s *state) reinvoke() {
	for k := range s.invoked {
		s.reinvoked[k] = true
	}
	clear(s.invoked)
}

// due reports whether an invocation is made in this round.
func (s *state) due(a apiadmission.Attributes, k key) bool {
	return !a.GetReinvocationContext().IsReinvoke() || s.reinvoked[k]
}
