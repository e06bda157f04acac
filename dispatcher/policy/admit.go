package policy

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
)

// Admit implements dispatcher.Policies: it runs one round of the mutating
// policies. It asks the reinvocation context for a second round if a policy made
// a mutation, whether or not that changed the object, as in kube-apiserver.
func (e *Evaluator) Admit(
	ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
	recorder dispatcher.PolicyRecorder,
) error {
	r, set, err := e.begin(ctx, admission.Mutating, a, o, recorder)
	if r == nil {
		return err
	}
	if a.GetReinvocationContext().IsReinvoke() {
		r.round = 1
	}
	policies, records := match(ctx, r, set, set.mutating)
	defer report(ctx, recorder, records)
	if len(policies) == 0 {
		return nil
	}
	var hooks []mutatingHook
	for _, p := range policies {
		collect(p, mutatingKind, a.GetNamespace())
		hooks = append(hooks, mutatingHooks(p)...)
	}
	if e.config.Exact || isOneKind(policies) {
		return e.mutating.Dispatch(ctx, a, o, hooks)
	}
	for i := range hooks {
		if err := e.mutating.Dispatch(ctx, a, o, hooks[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}

// isOneKind reports whether all policies ask for the same version.
func isOneKind(policies []*appliedMutating) bool {
	for _, p := range policies {
		if p.kind != policies[0].kind {
			return false
		}
	}
	return true
}

// Validate implements dispatcher.Policies: it runs the validating policies.
func (e *Evaluator) Validate(
	ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
	recorder dispatcher.PolicyRecorder,
) error {
	r, set, err := e.begin(ctx, admission.Validating, a, o, recorder)
	if r == nil {
		return err
	}
	policies, records := match(ctx, r, set, set.validating)
	defer report(ctx, recorder, records)
	if len(policies) == 0 {
		return nil
	}
	for _, p := range policies {
		collect(p, validatingKind, a.GetNamespace())
	}
	matcher := &bindingWatcher{PolicyMatcher: e.policy}
	hooks := make([]validatingHook, len(policies))
	for i, p := range policies {
		hooks[i] = p.hook
		if p.record != nil {
			hooks[i].Evaluator = &recordingValidator{p.hook.Evaluator, p, matcher}
		}
	}
	return validating.NewDispatcher(e.config.Authorizer, matcher).Dispatch(ctx, a, o, hooks)
}

// begin returns the request and the policies in force, or nil if no policy may
// see the request or if there is an error.
func (e *Evaluator) begin(
	ctx context.Context, phase admission.Phase, a apiadmission.Attributes,
	o apiadmission.ObjectInterfaces, recorder dispatcher.PolicyRecorder,
) (*request, *Set, error) {
	if !e.sees(phase, a) {
		return nil, nil, nil
	}
	set, err := e.config.Source.Current(ctx)
	switch {
	case errors.Is(err, dispatcher.ErrNotReady):
		return nil, nil, apiadmission.NewForbidden(a, dispatcher.ErrNotReady)
	case err != nil:
		return nil, nil, apierrors.NewInternalError(err)
	}
	recorded := recorder != nil
	return &request{
		evaluator: e, attributes: a, objects: o, view: e.view(a, o, recorded), recorded: recorded,
	}, set, nil
}

func report(
	ctx context.Context, recorder dispatcher.PolicyRecorder, records []*admission.PolicyRecord,
) {
	for _, record := range records {
		recorder.RecordPolicy(ctx, record)
	}
}

// collect resolves the params of the kept bindings of a policy for its record,
// as upstream's dispatcher does before it evaluates them.
func collect[P, B apiruntime.Object, E any](
	a *applied[P, B, E], k *kind[P, B, E], namespace string,
) {
	for i, position := range a.bindings { // empty without a record
		binding := &a.record.Bindings[position]
		if binding.Err != nil || a.record.Err != nil {
			continue
		}
		params, err := generic.CollectParams(k.policy(a.hook.Policy).GetParamKind(), a.hook.ParamInformer,
			a.hook.ParamScope, k.binding(a.hook.Bindings[i]).GetParamRef(), namespace, nil, nil)
		binding.Err = err
		for _, p := range params {
			binding.Params = append(binding.Params, nameOf(p))
		}
	}
}
