package policy

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"sync"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// Set holds the compiled policies and bindings that are in force at one moment.
// It is immutable and safe for concurrent use.
type Set struct {
	mutating   *table[mutatingPolicy, mutatingBinding, mutating.PolicyEvaluator]
	validating *table[validatingPolicy, validatingBinding, validating.Validator]
	// index has a stand-in for each policy, in the order of the tables.
	index *matching.Snapshot
}

// NewSet compiles policies and bindings: objects of the types
// MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding,
// ValidatingAdmissionPolicy and ValidatingAdmissionPolicyBinding of
// admissionregistration.k8s.io/v1, in any order, with the defaults of v1. NewSet
// does not modify them, and they must not be modified later.
//
// The error is for an object of another type. Expressions that do not compile
// and params that do not exist are reported for each request that reaches them.
func NewSet(params Params, objects ...apiruntime.Object) (*Set, error) {
	var s sorted
	for i, o := range objects {
		if err := s.add(o); err != nil {
			return nil, fmt.Errorf("object %d: %w", i+1, err)
		}
	}
	set := &Set{
		mutating:   newTable(mutatingKind, params, s.mutating, s.mutatingBindings),
		validating: newTable(validatingKind, params, s.validating, s.validatingBindings),
	}
	set.index = matching.NewSnapshot(set.mutating.standIns(), set.validating.standIns())
	return set, nil
}

// Ordered returns the set in another order: compare compares the names of
// policies, and of the bindings of a policy. The two sets share everything else.
func (s *Set) Ordered(compare func(a, b string) int) *Set {
	set := &Set{mutating: s.mutating.ordered(compare), validating: s.validating.ordered(compare)}
	set.index = matching.NewSnapshot(set.mutating.standIns(), set.validating.standIns())
	return set
}

// sorted are objects by type.
type sorted struct {
	mutating           []mutatingPolicy
	mutatingBindings   []mutatingBinding
	validating         []validatingPolicy
	validatingBindings []validatingBinding
}

func (s *sorted) add(o apiruntime.Object) error {
	switch o := o.(type) {
	case *registrationv1.MutatingAdmissionPolicy:
		s.mutating = append(s.mutating, o)
	case *registrationv1.MutatingAdmissionPolicyBinding:
		s.mutatingBindings = append(s.mutatingBindings, o)
	case *registrationv1.ValidatingAdmissionPolicy:
		s.validating = append(s.validating, o)
	case *registrationv1.ValidatingAdmissionPolicyBinding:
		s.validatingBindings = append(s.validatingBindings, o)
	default:
		return fmt.Errorf("%T is neither a policy nor a binding", o)
	}
	return nil
}

// table has the compiled policies of one kind, by name.
type table[P, B apiruntime.Object, E any] struct {
	*kind[P, B, E]
	entries []*entry[P, B, E]
}

// entry is a compiled policy.
type entry[P, B apiruntime.Object, E any] struct {
	standIn
	// hook is for upstream's dispatcher. Its policy has relaxed constraints, and
	// it has no bindings.
	hook generic.PolicyHook[P, B, E]
	// original has the policy's own constraints.
	original P
	// paramKind is empty if it is missing or cannot be parsed.
	paramKind schema.GroupVersionKind
	bindings  []*bound[B]
}

// bound is a compiled binding.
type bound[B any] struct {
	standIn
	// relaxed and original are as for the policy.
	relaxedBinding, original B
}

func newTable[P, B apiruntime.Object, E any](
	k *kind[P, B, E], params Params, policies []P, bindings []B,
) *table[P, B, E] {
	of := map[string][]B{}
	for _, b := range bindings {
		name := k.binding(b).GetPolicyName().Name
		of[name] = append(of[name], b)
	}
	t := &table[P, B, E]{k, make([]*entry[P, B, E], len(policies))}
	var compiling sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, p := range policies {
		free <- struct{}{}
		compiling.Go(func() {
			defer func() { <-free }()
			t.entries[i] = newEntry(k, params, p, of[k.policy(p).GetName()])
		})
	}
	compiling.Wait()
	return t.ordered(cmp.Compare[string])
}

func (t *table[P, B, E]) ordered(compare func(a, b string) int) *table[P, B, E] {
	ordered := &table[P, B, E]{kind: t.kind}
	for _, e := range t.entries {
		copied := *e
		copied.bindings = slices.SortedFunc(slices.Values(e.bindings), func(a, b *bound[B]) int {
			return compare(a.Name, b.Name)
		})
		ordered.entries = append(ordered.entries, &copied)
	}
	slices.SortFunc(ordered.entries, func(a, b *entry[P, B, E]) int { return compare(a.Name, b.Name) })
	return ordered
}

func newEntry[P, B apiruntime.Object, E any](
	k *kind[P, B, E], params Params, p P, bindings []B,
) *entry[P, B, E] {
	about := k.policy(p)
	e := &entry[P, B, E]{
		standIn:  newStandIn(k.phase, about.GetName(), about.GetMatchConstraints()),
		original: p,
	}
	e.hook = generic.PolicyHook[P, B, E]{Policy: p, Evaluator: k.compile(p)}
	if e.relaxed != nil {
		e.hook.Policy = k.withConstraints(p, e.relaxed)
	}
	if kind := about.GetParamKind(); kind != nil {
		e.paramKind, _ = parsedKind(kind) // paramsOf reports the error
		e.hook.ParamInformer, e.hook.ParamScope, e.hook.ConfigurationError = paramsOf(params, kind)
	}
	for _, b := range bindings {
		about := k.binding(b)
		bound := &bound[B]{newStandIn(k.phase, about.GetName(), about.GetMatchResources()), b, b}
		if bound.relaxed != nil {
			bound.relaxedBinding = k.withResources(b, bound.relaxed)
		}
		e.bindings = append(e.bindings, bound)
	}
	return e
}

func (t *table[P, B, E]) standIns() []*matching.Webhook {
	all := make([]*matching.Webhook, len(t.entries))
	for i, e := range t.entries {
		all[i] = e.Webhook
	}
	return all
}

// standIn is a webhook that package matching matches in place of a policy or
// binding, by the same selectors and rules.
type standIn struct {
	*matching.Webhook
	// relaxed are the rules without the selectors, which the stand-in decides.
	// It is nil if there are no rules, or if a selector is missing, which is an
	// error for each request.
	relaxed *registrationv1.MatchResources
	// finer says that excludeResourceRules or resourceNames decide as well.
	finer bool
}

func newStandIn(phase admission.Phase, name string, m *registrationv1.MatchResources) standIn {
	w := &admission.Webhook{
		Phase: phase, Name: name, UID: name, Rules: everything,
		NamespaceSelector: &metav1.LabelSelector{}, ObjectSelector: &metav1.LabelSelector{},
	}
	s := standIn{}
	if m != nil && m.NamespaceSelector != nil && m.ObjectSelector != nil {
		w.NamespaceSelector, w.ObjectSelector = m.NamespaceSelector, m.ObjectSelector
		w.MatchPolicy = m.MatchPolicy
		if len(m.ResourceRules) > 0 {
			w.Rules = nil
		}
		s.finer = len(m.ExcludeResourceRules) > 0
		for i := range m.ResourceRules {
			s.finer = s.finer || len(m.ResourceRules[i].ResourceNames) > 0
			w.Rules = append(w.Rules, m.ResourceRules[i].RuleWithOperations)
		}
		relaxed := *m
		relaxed.NamespaceSelector = &metav1.LabelSelector{}
		relaxed.ObjectSelector = &metav1.LabelSelector{}
		s.relaxed = &relaxed
	}
	s.Webhook = compiler.Compile([]*admission.Webhook{w})[0]
	return s
}

// compiler compiles stand-ins, which have no expressions.
var compiler = matching.NewCompiler()

// everything are the rules of matchResources without rules.
var everything = []registrationv1.RuleWithOperations{{
	Operations: []registrationv1.OperationType{registrationv1.OperationAll},
	Rule: registrationv1.Rule{
		APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*/*"},
	},
}}

// parsedKind returns the kind of params.
func parsedKind(k *registrationv1.ParamKind) (schema.GroupVersionKind, error) {
	gv, err := schema.ParseGroupVersion(k.APIVersion)
	return gv.WithKind(k.Kind), err
}

// Names returns the names of all policies and bindings.
func (s *Set) Names() []string { return append(s.mutating.names(), s.validating.names()...) }

func (t *table[P, B, E]) names() (names []string) {
	for _, e := range t.entries {
		names = append(names, e.Name)
		for _, b := range e.bindings {
			names = append(names, b.Name)
		}
	}
	return names
}
