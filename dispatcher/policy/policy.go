package policy

import (
	"context"
	"fmt"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/guard"
)

// policy is a compiled policy.
type policy struct {
	// declared is what was compiled.
	declared apiruntime.Object
	phase    admission.Phase
	name     string
	match    *constraints
	// failurePolicy is Fail by default.
	failurePolicy registrationv1.FailurePolicyType
	bindings      []*binding

	// paramKind is nil without params.
	paramKind *registrationv1.ParamKind

	*expressions
	// conditions are the matchConditions; nil without any.
	conditions matchconditions.Matcher
	// compileErr is an error of the environment of the expressions.
	compileErr error

	validating validations
	mutating   mutations
}

// mutations are what a mutating policy does.
type mutations struct {
	patchers []patch.Patcher
	// count is the number of mutations. It is not that of patchers if a mutation
	// lacks what its patchType says.
	count       int
	reinvocable bool
}

// binding is a compiled binding.
type binding struct {
	name     string
	match    *constraints
	paramRef *registrationv1.ParamRef
	actions  []registrationv1.ValidationAction
}

// newBinding compiles a binding; nil for any other object. policy is the name of
// its policy.
func newBinding(o apiruntime.Object) (phase admission.Phase, policy string, b *binding) {
	switch o := o.(type) {
	case *registrationv1.MutatingAdmissionPolicyBinding:
		return admission.Mutating, o.Spec.PolicyName, &binding{
			name: o.Name, match: newConstraints(o.Name, o.Spec.MatchResources), paramRef: o.Spec.ParamRef,
		}
	case *registrationv1.ValidatingAdmissionPolicyBinding:
		return admission.Validating, o.Spec.PolicyName, &binding{
			name: o.Name, match: newConstraints(o.Name, o.Spec.MatchResources), paramRef: o.Spec.ParamRef,
			actions: o.Spec.ValidationActions,
		}
	}
	return 0, "", nil
}

// compile compiles a policy. An error of an expression, or a panic of its
// compiler, shows when a request reaches it.
func compile(o apiruntime.Object) *policy {
	var p *policy
	var expressions func()
	switch o := o.(type) {
	case *registrationv1.MutatingAdmissionPolicy:
		p = newPolicy(admission.Mutating, o.Name, o.Spec.MatchConstraints, o.Spec.ParamKind,
			o.Spec.FailurePolicy)
		expressions = func() {
			p.compile(o.Spec.Variables, o.Spec.MatchConditions, o.Spec.FailurePolicy)
			p.compileMutations(&o.Spec)
		}
	case *registrationv1.ValidatingAdmissionPolicy:
		p = newPolicy(admission.Validating, o.Name, o.Spec.MatchConstraints, o.Spec.ParamKind,
			o.Spec.FailurePolicy)
		expressions = func() {
			p.compile(o.Spec.Variables, o.Spec.MatchConditions, o.Spec.FailurePolicy)
			p.compileValidations(&o.Spec)
		}
	}
	p.declared = o
	if panicked := guard.Do(expressions); panicked != nil {
		p.compileErr = panicked
	}
	return p
}

func newPolicy(
	phase admission.Phase, name string, m *registrationv1.MatchResources,
	params *registrationv1.ParamKind, failurePolicy *registrationv1.FailurePolicyType,
) *policy {
	p := &policy{
		phase: phase, name: name, match: newConstraints(name, m), paramKind: params,
		failurePolicy: registrationv1.Fail,
	}
	if m == nil {
		p.match.err = errNoConstraints
	}
	if failurePolicy != nil {
		p.failurePolicy = *failurePolicy
	}
	return p
}

// kindOfParams is empty without params, or if it cannot be parsed.
func (p *policy) kindOfParams() schema.GroupVersionKind {
	if p.paramKind == nil {
		return schema.GroupVersionKind{}
	}
	return schema.FromAPIVersionAndKind(p.paramKind.APIVersion, p.paramKind.Kind)
}

// ignoresFailures reports whether the policy does not deny what fails.
func (p *policy) ignoresFailures() bool { return p.failurePolicy == registrationv1.Ignore }

// paramStore returns the params of the policy's kind, nil if it has none, or
// kube-apiserver's error for a kind that it does not serve.
func (p *policy) paramStore(ctx context.Context, params Params) (ParamStore, error) {
	if p.paramKind == nil {
		return nil, nil
	}
	gv, err := schema.ParseGroupVersion(p.paramKind.APIVersion)
	if err != nil {
		return nil, fmt.Errorf("failed to parse paramKind APIVersion: %w", err)
	}
	kind := gv.WithKind(p.paramKind.Kind)
	if params != nil {
		if store, err := params.Params(ctx, kind); err == nil {
			return store, nil
		}
	}
	return nil, fmt.Errorf("failed to find resource referenced by paramKind: '%v'", kind)
}
