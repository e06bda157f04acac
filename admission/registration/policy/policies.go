package policy

import (
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission/registration/internal/fields"
	"example.com/gatehouse/internal/cel"
)

// validatingPolicy applies validateValidatingAdmissionPolicySpec.
func (val validator) validatingPolicy(
	spec *registrationv1.ValidatingAdmissionPolicySpec, at *field.Path,
) field.ErrorList {
	composition := cel.NoVariables
	if len(spec.Variables) > 0 {
		composition = cel.OwnVariables
	}
	exprs := expressions{
		checker: cel.NewPolicyChecker(spec.ParamKind != nil, composition),
		known:   val.ratchets.known,
	}
	return slices.Concat(
		failurePolicy(spec.FailurePolicy, at.Child("failurePolicy")),
		paramKind(spec.ParamKind, at.Child("paramKind")),
		matchConstraints(spec.MatchConstraints, at.Child("matchConstraints")),
		val.conditions(exprs, spec.MatchConditions, at.Child("matchConditions")),
		exprs.variables(spec.Variables, at.Child("variables")),
		val.outcomes(exprs, spec, at),
	)
}

// outcomes applies the rules of validations and auditAnnotations, of which a
// policy needs at least one.
func (val validator) outcomes(
	exprs expressions, spec *registrationv1.ValidatingAdmissionPolicySpec, at *field.Path,
) field.ErrorList {
	validations, annotations := at.Child("validations"), at.Child("auditAnnotations")
	if len(spec.Validations) == 0 && len(spec.AuditAnnotations) == 0 {
		const oneItem = "validations or auditAnnotations must contain at least one item"
		return field.ErrorList{
			field.Required(validations, oneItem), field.Required(annotations, oneItem),
		}
	}
	var problems field.ErrorList
	for i := range spec.Validations {
		problems = append(problems,
			exprs.validation(&spec.Validations[i], validations.Index(i))...)
	}
	return append(problems, exprs.annotations(spec.AuditAnnotations, val.name, annotations)...)
}

// mutatingPolicy applies validateMutatingAdmissionPolicySpec.
//
// Compat: variables is declared even if the policy has none, unlike in
// validating policies.
func (val validator) mutatingPolicy(
	spec *registrationv1.MutatingAdmissionPolicySpec, at *field.Path,
) field.ErrorList {
	composition := cel.EmptyVariables
	if len(spec.Variables) > 0 {
		composition = cel.OwnVariables
	}
	exprs := expressions{
		checker: cel.NewPolicyChecker(spec.ParamKind != nil, composition),
		known:   val.ratchets.known,
	}
	return slices.Concat(
		failurePolicy(spec.FailurePolicy, at.Child("failurePolicy")),
		paramKind(spec.ParamKind, at.Child("paramKind")),
		matchConstraints(spec.MatchConstraints, at.Child("matchConstraints")),
		mutableOperations(spec.MatchConstraints, at.Child("matchConstraints")),
		val.conditions(exprs, spec.MatchConditions, at.Child("matchConditions")),
		exprs.variables(spec.Variables, at.Child("variables")),
		exprs.mutations(spec.Mutations, at.Child("mutations")),
		reinvocationPolicy(spec.ReinvocationPolicy, at.Child("reinvocationPolicy")),
	)
}

func failurePolicy(f *registrationv1.FailurePolicyType, at *field.Path) field.ErrorList {
	return requiredOneOf(at, f, registrationv1.Fail, registrationv1.Ignore)
}

func reinvocationPolicy(r registrationv1.ReinvocationPolicyType, at *field.Path) field.ErrorList {
	if r == "" {
		return field.ErrorList{field.Required(at, "")}
	}
	return fields.OneOf(at, &r,
		registrationv1.IfNeededReinvocationPolicy, registrationv1.NeverReinvocationPolicy)
}

// conditions applies validateMatchConditions. A ratchet leaves them alone.
//
// Compat: they may use params, but not the policy's variables, which the plugins
// would declare for them.
func (val validator) conditions(
	exprs expressions, conditions []registrationv1.MatchCondition, at *field.Path,
) field.ErrorList {
	if val.ratchets.sameConditions {
		return nil
	}
	return fields.Conditions(conditions, at, func(expression string) error {
		return exprs.checker.Check(cel.MatchCondition, expression, exprs.known.conditions[expression])
	})
}
