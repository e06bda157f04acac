package policy

import (
	"context"

	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// request is a request in one phase.
type request struct {
	evaluator  *Evaluator
	attributes apiadmission.Attributes
	objects    apiadmission.ObjectInterfaces
	view       *matching.View
	round      int
	// recorded says that records are made of all policies.
	recorded bool
}

// applied is a policy that applies to a request, for upstream's dispatcher.
type applied[P, B apiruntime.Object, E any] struct {
	// hook has the bindings that match, or that have an error to report.
	hook generic.PolicyHook[P, B, E]
	// kind is the version that the policy asks for.
	kind schema.GroupVersionKind
	// record is the policy's record, and bindings the positions of the hook's
	// bindings in it. Both are nil if no record is made.
	record   *admission.PolicyRecord
	bindings []int
}

type (
	appliedMutating   = applied[mutatingPolicy, mutatingBinding, mutating.PolicyEvaluator]
	appliedValidating = applied[validatingPolicy, validatingBinding, validating.Validator]
)

// match returns the policies that apply, and the records of all policies if they
// are made.
func match[P, B apiruntime.Object, E any](
	ctx context.Context, r *request, set *Set, t *table[P, B, E],
) (all []*applied[P, B, E], records []*admission.PolicyRecord) {
	for _, position := range r.positions(set, t.phase) {
		e := t.entries[position]
		m, verdict := r.match(ctx, &e.standIn, t.policy(e.hook.Policy))
		a := &applied[P, B, E]{hook: e.hook, kind: verdict.kind}
		if r.recorded {
			m.Round, m.Index = r.round, int(position)
			a.record = &admission.PolicyRecord{
				Phase: t.phase, Name: e.Name, ParamKind: e.paramKind, Match: m, Err: verdict.err,
			}
			records = append(records, a.record)
		}
		// Upstream does not know a policy without bindings.
		if !verdict.applies || len(e.bindings) == 0 {
			continue
		}
		if verdict.err != nil {
			a.hook.Policy = e.original
		} else if a.record != nil {
			a.record.Err = e.hook.ConfigurationError
		}
		a.bind(ctx, r, t.kind, e)
		if len(a.hook.Bindings) > 0 || verdict.err != nil || a.hook.ConfigurationError != nil {
			all = append(all, a)
		}
	}
	return all, records
}

// positions returns the positions of the policies to match.
func (r *request) positions(set *Set, phase admission.Phase) []int32 {
	if !r.recorded {
		return set.index.Candidates(phase, r.view)
	}
	all := make([]int32, len(set.index.Webhooks(phase)))
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// bind adds the bindings that match.
func (a *applied[P, B, E]) bind(
	ctx context.Context, r *request, k *kind[P, B, E], e *entry[P, B, E],
) {
	a.hook.Bindings = make([]B, 0, len(e.bindings))
	for _, b := range e.bindings {
		m, verdict := r.matchBinding(ctx, b.standIn, k.binding(b.relaxedBinding))
		if a.record != nil {
			m.Round, m.Index = r.round, len(a.record.Bindings)
			a.record.Bindings = append(a.record.Bindings, admission.BindingRecord{
				Name: b.Name, Match: m, Err: verdict.err, Actions: k.actions(b.original),
			})
		}
		if !verdict.applies {
			continue
		}
		binding := b.relaxedBinding
		if verdict.err != nil {
			binding = b.original
		}
		a.hook.Bindings = append(a.hook.Bindings, binding)
		if a.record != nil {
			a.bindings = append(a.bindings, len(a.record.Bindings)-1)
		}
	}
}

// verdict says whether a policy or binding applies. With err it applies, because
// upstream's dispatcher finds the same error and applies the failurePolicy.
type verdict struct {
	applies bool
	kind    schema.GroupVersionKind
	err     error
}

// match matches a policy. Selectors and rules come first; upstream's matcher
// then decides about what webhooks do not have.
func (r *request) match(
	ctx context.Context, s *standIn, p generic.PolicyAccessor,
) (admission.Match, verdict) {
	return r.matchStandIn(ctx, s, func() (bool, schema.GroupVersionKind, error) {
		matches, _, kind, err := r.evaluator.policy.DefinitionMatches(r.attributes, r.objects, p)
		return matches, kind, err
	})
}

// matchBinding is match for a binding. One without matchResources matches.
func (r *request) matchBinding(
	ctx context.Context, s standIn, b generic.BindingAccessor,
) (admission.Match, verdict) {
	return r.matchStandIn(ctx, &s, func() (bool, schema.GroupVersionKind, error) {
		matches, err := r.evaluator.policy.BindingMatches(r.attributes, r.objects, b)
		return matches, schema.GroupVersionKind{}, err
	})
}

func (r *request) matchStandIn(
	ctx context.Context, s *standIn, finer func() (bool, schema.GroupVersionKind, error),
) (admission.Match, verdict) {
	m := s.MatchRules(ctx, r.view)
	v := verdict{m.Matched() || m.Err != nil, m.Target.Kind, m.Err}
	if !m.Matched() || s.relaxed != nil && !s.finer {
		return m, v
	}
	v.applies, v.kind, v.err = finer()
	switch {
	case v.err != nil:
		v.applies, m.Err = true, v.err
	case !v.applies:
		m.Stage = admission.StageRules
	}
	return m, v
}
