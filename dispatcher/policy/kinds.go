package policy

import (
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"

	"example.com/gatehouse/admission"
)

// kind is what the code that both kinds of policy share needs to know of one.
type kind[P, B, E any] struct {
	phase admission.Phase
	// policy and binding read the fields that both kinds have.
	policy  func(P) generic.PolicyAccessor
	binding func(B) generic.BindingAccessor
	// withConstraints and withResources return shallow copies with other
	// matchConstraints or matchResources.
	withConstraints func(P, *registrationv1.MatchResources) P
	withResources   func(B, *registrationv1.MatchResources) B
	compile         func(P) E
	actions         func(B) []string
}

type (
	mutatingPolicy   = *registrationv1.MutatingAdmissionPolicy
	mutatingBinding  = *registrationv1.MutatingAdmissionPolicyBinding
	validatingPolicy = *registrationv1.ValidatingAdmissionPolicy
	// validatingBinding is the binding of a ValidatingAdmissionPolicy.
	validatingBinding = *registrationv1.ValidatingAdmissionPolicyBinding

	mutatingHook   = generic.PolicyHook[mutatingPolicy, mutatingBinding, mutating.PolicyEvaluator]
	validatingHook = generic.PolicyHook[validatingPolicy, validatingBinding, validating.Validator]
)

var mutatingKind = &kind[mutatingPolicy, mutatingBinding, mutating.PolicyEvaluator]{
	phase:   admission.Mutating,
	policy:  mutating.NewMutatingAdmissionPolicyAccessor,
	binding: mutating.NewMutatingAdmissionPolicyBindingAccessor,
	withConstraints: func(p mutatingPolicy, m *registrationv1.MatchResources) mutatingPolicy {
		changed := *p
		changed.Spec.MatchConstraints = m
		return &changed
	},
	withResources: func(b mutatingBinding, m *registrationv1.MatchResources) mutatingBinding {
		changed := *b
		changed.Spec.MatchResources = m
		return &changed
	},
	compile: compileMutating,
	actions: func(mutatingBinding) []string { return nil },
}

var validatingKind = &kind[validatingPolicy, validatingBinding, validating.Validator]{
	phase:   admission.Validating,
	policy:  validating.NewValidatingAdmissionPolicyAccessor,
	binding: validating.NewValidatingAdmissionPolicyBindingAccessor,
	withConstraints: func(p validatingPolicy, m *registrationv1.MatchResources) validatingPolicy {
		changed := *p
		changed.Spec.MatchConstraints = m
		return &changed
	},
	withResources: func(b validatingBinding, m *registrationv1.MatchResources) validatingBinding {
		changed := *b
		changed.Spec.MatchResources = m
		return &changed
	},
	compile: compileValidating,
	actions: func(b validatingBinding) []string {
		actions := make([]string, len(b.Spec.ValidationActions))
		for i, a := range b.Spec.ValidationActions {
			actions[i] = string(a)
		}
		return actions
	},
}
