package policy

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/admission"
)

// recordingMatcher evaluates matchConditions and records what they amount to.
type recordingMatcher struct{ matchconditions.Matcher }

// Match implements matchconditions.Matcher.
func (m *recordingMatcher) Match(
	ctx context.Context, a *apiadmission.VersionedAttributes, param apiruntime.Object,
	authz authorizer.UnconditionalAuthorizer,
) matchconditions.MatchResult {
	result := m.Matcher.Match(ctx, a, param, authz)
	record := evaluationOf(ctx)
	if record == nil {
		return result
	}
	switch {
	case result.Error != nil:
		record.Conditions, record.Err = admission.ConditionsFailed, result.Error
	case result.Matches:
		record.Conditions = admission.ConditionsTrue
	default:
		record.Conditions, record.Excluded = admission.ConditionsFalse, result.FailedConditionName
	}
	return result
}

// bindingWatcher is a matcher that remembers the binding that upstream's
// dispatcher works on.
type bindingWatcher struct {
	generic.PolicyMatcher
	current string
}

// BindingMatches implements generic.PolicyMatcher.
func (w *bindingWatcher) BindingMatches(
	a apiadmission.Attributes, o apiadmission.ObjectInterfaces, b generic.BindingAccessor,
) (bool, error) {
	w.current = b.GetName()
	return w.PolicyMatcher.BindingMatches(a, o, b)
}

// recordingValidator records the evaluations of a validating policy.
type recordingValidator struct {
	validating.Validator
	of      *appliedValidating
	matcher *bindingWatcher
}

// Validate implements validating.Validator.
func (v *recordingValidator) Validate(
	ctx context.Context, resource schema.GroupVersionResource, a *apiadmission.VersionedAttributes,
	param apiruntime.Object, ns *corev1.Namespace, budget int64,
	authz authorizer.UnconditionalAuthorizer,
) validating.ValidateResult {
	binding := v.of.binding(v.matcher.current)
	record := &admission.PolicyEvaluation{}
	if n := len(binding.Evaluations); n < len(binding.Params) { // upstream hides the name
		record.Param = binding.Params[n]
	}
	binding.Evaluations = append(binding.Evaluations, record)
	ctx = context.WithValue(ctx, evaluationKey{}, record)
	result := v.Validator.Validate(ctx, resource, a, param, ns, budget, authz)
	for _, d := range result.Decisions {
		record.Decisions = append(record.Decisions, admission.PolicyDecision{
			Denied: d.Action == validating.ActionDeny, Failed: d.Evaluation == validating.EvalError,
			Message: d.Message, Reason: d.Reason,
		})
	}
	for _, annotation := range result.AuditAnnotations {
		if annotation.Action == validating.AuditAnnotationActionPublish {
			record.Annotations = append(record.Annotations,
				admission.AuditAnnotation{Key: annotation.Key, Value: annotation.Value})
		}
	}
	return result
}

// binding returns the record of a binding that is evaluated.
func (a *applied[P, B, E]) binding(name string) *admission.BindingRecord {
	i := slices.IndexFunc(a.record.Bindings,
		func(b admission.BindingRecord) bool { return b.Name == name })
	return &a.record.Bindings[i]
}

// mutatingHooks returns the hook of a policy. If it is recorded, there is a hook
// for each binding, whose evaluator records what the binding does.
func mutatingHooks(p *appliedMutating) []mutatingHook {
	if p.record == nil || len(p.bindings) == 0 || p.record.Err != nil {
		return []mutatingHook{p.hook}
	}
	hooks := make([]mutatingHook, len(p.bindings))
	for i, position := range p.bindings {
		hooks[i] = p.hook
		hooks[i].Bindings = p.hook.Bindings[i : i+1]
		hooks[i].Evaluator = recording(p.hook.Evaluator, &p.record.Bindings[position])
	}
	return hooks
}

// recording returns an evaluator that records what a binding does.
func recording(
	e mutating.PolicyEvaluator, binding *admission.BindingRecord,
) mutating.PolicyEvaluator {
	m := &mutations{binding: binding, compiler: e.CompositedCompiler, hasConditions: e.Matcher != nil}
	patchers := make([]patch.Patcher, len(e.Mutators))
	for i, p := range e.Mutators {
		patchers[i] = &recordingPatcher{p, m, i}
	}
	if e.Matcher != nil {
		e.Matcher = &beginningMatcher{e.Matcher, m}
	}
	e.Mutators = patchers
	return e
}

// mutations records the evaluations of a mutating policy with one binding.
type mutations struct {
	binding       *admission.BindingRecord
	compiler      *cel.CompositedCompiler
	hasConditions bool
}

// begin begins the record of an evaluation.
func (m *mutations) begin(param apiruntime.Object) *admission.PolicyEvaluation {
	e := &admission.PolicyEvaluation{Param: nameOf(param)}
	m.binding.Evaluations = append(m.binding.Evaluations, e)
	return e
}

// beginningMatcher begins the record of an evaluation.
type beginningMatcher struct {
	matchconditions.Matcher
	of *mutations
}

// Match implements matchconditions.Matcher.
func (m *beginningMatcher) Match(
	ctx context.Context, a *apiadmission.VersionedAttributes, param apiruntime.Object,
	authz authorizer.UnconditionalAuthorizer,
) matchconditions.MatchResult {
	return m.Matcher.Match(context.WithValue(ctx, evaluationKey{}, m.of.begin(param)), a, param, authz)
}

// recordingPatcher records a mutation.
type recordingPatcher struct {
	patch.Patcher
	of    *mutations
	index int
}

// Patch implements patch.Patcher.
func (p *recordingPatcher) Patch(
	ctx context.Context, r patch.Request, budget int64,
) (apiruntime.Object, error) {
	if p.index == 0 && !p.of.hasConditions {
		p.of.begin(r.OptionalVariables.VersionedParams)
	}
	record := p.of.binding.Evaluations[len(p.of.binding.Evaluations)-1]
	// Upstream's evaluator wants a context with the policy's variables.
	ctx = p.of.compiler.CreateContext(context.WithValue(ctx, evaluationKey{}, record))
	m := admission.PolicyMutation{
		Index: p.index, Before: r.VersionedAttributes.VersionedObject.Object().DeepCopyObject(),
	}
	object, err := p.Patcher.Patch(ctx, r, budget)
	if m.Err = err; err == nil {
		m.After = object.DeepCopyObject()
	}
	record.Mutations = append(record.Mutations, m)
	return object, err
}

// nameOf returns NAMESPACE/NAME or NAME of a param; "" without one.
func nameOf(param apiruntime.Object) string {
	if param == nil {
		return ""
	}
	m, err := meta.Accessor(param)
	switch {
	case err != nil:
		return ""
	case m.GetNamespace() == "":
		return m.GetName()
	}
	return m.GetNamespace() + "/" + m.GetName()
}

// evaluationOf returns the record that a context carries; nil if there is none.
func evaluationOf(ctx context.Context) *admission.PolicyEvaluation {
	record, _ := ctx.Value(evaluationKey{}).(*admission.PolicyEvaluation)
	return record
}
