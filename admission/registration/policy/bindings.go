package policy

import (
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validate/content"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission/registration/internal/fields"
)

// tagged says for which fields of a ValidatingAdmissionPolicyBinding the
// validation tags of the API types decide. kube-apiserver v1.37 enforces these
// tags, because the feature gate DeclarativeValidationBeta is on by default. An
// error of a tag comes after all others, has no detail, and replaces the one of
// the function. An update leaves out the tags of fields that do not change, and
// manifests have none.
type tagged struct{ policyName, actions bool }

// taggedIn returns the tags that decide in an update.
func taggedIn(o, old Object) tagged {
	binding, ok := o.(*registrationv1.ValidatingAdmissionPolicyBinding)
	before, both := old.(*registrationv1.ValidatingAdmissionPolicyBinding)
	if !ok || !both {
		return tagged{}
	}
	return tagged{
		policyName: binding.Spec.PolicyName != before.Spec.PolicyName,
		actions: !equality.Semantic.DeepEqual(
			binding.Spec.ValidationActions, before.Spec.ValidationActions),
	}
}

// tagged returns the errors of the tags that decide.
func (val validator) tagged(o Object) field.ErrorList {
	binding, ok := o.(*registrationv1.ValidatingAdmissionPolicyBinding)
	if !ok {
		return nil
	}
	var problems field.ErrorList
	at := field.NewPath("spec")
	if val.tags.policyName && binding.Spec.PolicyName == "" {
		problems = append(problems, field.Required(at.Child("policyName"), ""))
	}
	if val.tags.actions && len(binding.Spec.ValidationActions) == 0 {
		problems = append(problems, field.Required(at.Child("validationActions"), ""))
	}
	return problems
}

// validatingBinding applies validateValidatingAdmissionPolicyBindingSpec.
func (val validator) validatingBinding(
	spec *registrationv1.ValidatingAdmissionPolicyBindingSpec, at *field.Path,
) field.ErrorList {
	var name, actions field.ErrorList
	if spec.PolicyName != "" || !val.tags.policyName {
		name = policyName(spec.PolicyName, at.Child("policyName"))
	}
	if len(spec.ValidationActions) > 0 || !val.tags.actions {
		actions = validationActions(spec.ValidationActions, at.Child("validationActions"))
	}
	return slices.Concat(
		name,
		paramRef(spec.ParamRef, at.Child("paramRef")),
		matchResources(spec.MatchResources, at.Child("matchResources")),
		actions,
	)
}

// mutatingBinding applies validateMutatingAdmissionPolicyBindingSpec.
func mutatingBinding(
	spec *registrationv1.MutatingAdmissionPolicyBindingSpec, at *field.Path,
) field.ErrorList {
	return slices.Concat(
		policyName(spec.PolicyName, at.Child("policyName")),
		paramRef(spec.ParamRef, at.Child("paramRef")),
		matchResources(spec.MatchResources, at.Child("matchResources")),
		mutableOperations(spec.MatchResources, at.Child("matchResources")),
	)
}

func policyName(name string, at *field.Path) field.ErrorList {
	if name == "" {
		return field.ErrorList{field.Required(at, "")}
	}
	return fields.Invalid(at, name, apivalidation.NameIsDNSSubdomain(name, false))
}

// validationActions applies validateValidationActions.
func validationActions(
	actions []registrationv1.ValidationAction, at *field.Path,
) field.ErrorList {
	if len(actions) == 0 {
		return field.ErrorList{field.Required(at, "at least one validation action is required")}
	}
	var problems field.ErrorList
	seen := map[registrationv1.ValidationAction]bool{}
	for i, action := range actions {
		problems = append(problems, fields.OneOf(at.Index(i), &action,
			registrationv1.Audit, registrationv1.Deny, registrationv1.Warn)...)
		if seen[action] {
			problems = append(problems, field.Duplicate(at.Index(i), action))
		}
		seen[action] = true
	}
	if seen[registrationv1.Deny] && seen[registrationv1.Warn] {
		problems = append(problems, field.Invalid(at, actions,
			"must not contain both Deny and Warn (repeating the same validation failure"+
				" information in the API response and headers serves no purpose)"))
	}
	return problems
}

// paramRef applies validateParamRef. The namespace may be anything.
func paramRef(ref *registrationv1.ParamRef, at *field.Path) field.ErrorList {
	if ref == nil {
		return nil
	}
	var problems field.ErrorList
	both := ref.Name != "" && ref.Selector != nil
	const exclusive = "name and selector are mutually exclusive"
	if ref.Name != "" {
		problems = fields.Invalid(at.Child("name"), ref.Name, content.IsPathSegmentName(ref.Name))
	}
	if both {
		problems = append(problems, field.Forbidden(at.Child("name"), exclusive))
	}
	if ref.Selector != nil {
		problems = append(problems, metav1validation.ValidateLabelSelector(ref.Selector,
			metav1validation.LabelSelectorValidationOptions{}, at.Child("selector"))...)
	}
	if both {
		problems = append(problems, field.Forbidden(at.Child("selector"), exclusive))
	}
	if ref.Name == "" && ref.Selector == nil {
		problems = append(problems,
			field.Required(at, "one of name or selector must be specified"))
	}
	return append(problems, notFoundAction(ref.ParameterNotFoundAction,
		at.Child("parameterNotFoundAction"))...)
}

// notFoundAction lists the known actions in the order of the server's message.
func notFoundAction(
	action *registrationv1.ParameterNotFoundActionType, at *field.Path,
) field.ErrorList {
	known := []registrationv1.ParameterNotFoundActionType{
		registrationv1.DenyAction, registrationv1.AllowAction,
	}
	switch {
	case action == nil || *action == "":
		return field.ErrorList{field.Required(at, "")}
	case !slices.Contains(known, *action):
		return field.ErrorList{field.NotSupported(at, *action, known)}
	}
	return nil
}
