package policy

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"sync"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// Set holds the compiled policies and bindings that are in force at one moment.
// It is immutable and safe for concurrent use.
type Set struct {
	params               Params
	mutating, validating []*policy
	// index has a stand-in for each policy, in the same order.
	index *matching.Snapshot
}

// NewSet compiles policies and bindings: objects of the types
// MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding,
// ValidatingAdmissionPolicy and ValidatingAdmissionPolicyBinding of
// admissionregistration.k8s.io/v1, in any order, with the defaults of v1. NewSet
// does not modify them, and they must not be modified later. params may be nil
// if no policy has any.
//
// NewSet fails only for an object of another type. The Evaluator reports
// expressions that do not compile and params that do not exist for each request
// that reaches them.
func NewSet(params Params, objects ...apiruntime.Object) (*Set, error) {
	return (&Set{params: params}).With(objects...)
}

// With returns a set of other policies and bindings, as NewSet does. It does
// not recompile a policy that is the same object in both sets.
func (s *Set) With(objects ...apiruntime.Object) (*Set, error) {
	var policies []apiruntime.Object
	bindings := map[admission.Phase]map[string][]*binding{
		admission.Mutating: {}, admission.Validating: {},
	}
	for i, o := range objects {
		phase, policy, b := newBinding(o)
		switch {
		case b != nil:
			bindings[phase][policy] = append(bindings[phase][policy], b)
		case isPolicy(o):
			policies = append(policies, o)
		default:
			return nil, fmt.Errorf("object %d: %T is neither a policy nor a binding", i+1, o)
		}
	}
	set := &Set{params: s.params}
	for _, p := range s.compileAll(policies) {
		p.bindings = bindings[p.phase][p.name]
		if p.phase == admission.Mutating {
			set.mutating = append(set.mutating, p)
		} else {
			set.validating = append(set.validating, p)
		}
	}
	return set.Ordered(cmp.Compare[string]), nil
}

func isPolicy(o apiruntime.Object) bool {
	switch o.(type) {
	case *registrationv1.MutatingAdmissionPolicy, *registrationv1.ValidatingAdmissionPolicy:
		return true
	}
	return false
}

// compileAll compiles policies on all processors: each takes milliseconds. It
// copies those that the set has compiled.
func (s *Set) compileAll(policies []apiruntime.Object) []*policy {
	before := map[apiruntime.Object]*policy{}
	for _, p := range slices.Concat(s.mutating, s.validating) {
		before[p.declared] = p
	}
	compiled := make([]*policy, len(policies))
	var compiling sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, o := range policies {
		if p, ok := before[o]; ok {
			copied := *p
			compiled[i] = &copied
			continue
		}
		free <- struct{}{}
		compiling.Go(func() {
			defer func() { <-free }()
			compiled[i] = compile(o)
		})
	}
	compiling.Wait()
	return compiled
}

// Ordered returns the set in another order: compare compares the names of
// policies, and of the bindings of a policy. The two sets share everything else.
func (s *Set) Ordered(compare func(a, b string) int) *Set {
	set := &Set{
		params:   s.params,
		mutating: ordered(s.mutating, compare), validating: ordered(s.validating, compare),
	}
	set.index = matching.NewSnapshot(standIns(set.mutating), standIns(set.validating))
	return set
}

func ordered(policies []*policy, compare func(a, b string) int) []*policy {
	var all []*policy
	for _, p := range policies {
		copied := *p
		copied.bindings = slices.SortedFunc(slices.Values(p.bindings), func(a, b *binding) int {
			return compare(a.name, b.name)
		})
		all = append(all, &copied)
	}
	slices.SortFunc(all, func(a, b *policy) int { return compare(a.name, b.name) })
	return all
}

func standIns(policies []*policy) []*matching.Webhook {
	all := make([]*matching.Webhook, len(policies))
	for i, p := range policies {
		all[i] = p.match.standIn
	}
	return all
}

// Names returns the names of all policies and bindings.
func (s *Set) Names() (names []string) {
	for _, p := range slices.Concat(s.mutating, s.validating) {
		names = append(names, p.name)
		for _, b := range p.bindings {
			names = append(names, b.name)
		}
	}
	return names
}

// ParamKinds returns the kinds of params that policies name.
func (s *Set) ParamKinds() map[schema.GroupVersionKind]bool {
	kinds := map[schema.GroupVersionKind]bool{}
	for _, p := range slices.Concat(s.mutating, s.validating) {
		if p.paramKind != nil {
			kinds[p.kindOfParams()] = true
		}
	}
	return kinds
}

func (s *Set) policies(phase admission.Phase) []*policy {
	if phase == admission.Mutating {
		return s.mutating
	}
	return s.validating
}
