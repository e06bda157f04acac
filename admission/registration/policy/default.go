package policy

import (
	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1alpha1 "k8s.io/api/admissionregistration/v1alpha1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission/registration/internal/fields"
)

// Default sets the absent fields of o, in place, by the version of o:
//
//	                                  v1, v1beta1   v1alpha1
//	failurePolicy                     Fail          Fail
//	matchPolicy                       Equivalent    Equivalent
//	namespaceSelector                 everything    everything
//	objectSelector                    everything    everything
//	resourceRules[].scope             *             *
//	excludeResourceRules[].scope      *             *
//	paramRef.parameterNotFoundAction  -             Deny
//
// The fields of matchConstraints and matchResources have defaults only if the
// object is there. reinvocationPolicy and validationActions have none: Validate
// requires them.
//
// Copies of o that share its lists change too. Nil and other types stay as they
// are.
func Default(o Object) {
	if _, err := kindOf(o); err != nil {
		return
	}
	switch o := o.(type) {
	case *registrationv1.ValidatingAdmissionPolicy:
		fields.SetIfAbsent(&o.Spec.FailurePolicy, registrationv1.Fail)
		defaultV1(o.Spec.MatchConstraints)
	case *registrationv1.ValidatingAdmissionPolicyBinding:
		defaultV1(o.Spec.MatchResources)
	case *registrationv1.MutatingAdmissionPolicy:
		fields.SetIfAbsent(&o.Spec.FailurePolicy, registrationv1.Fail)
		defaultV1(o.Spec.MatchConstraints)
	case *registrationv1.MutatingAdmissionPolicyBinding:
		defaultV1(o.Spec.MatchResources)

	case *registrationv1beta1.ValidatingAdmissionPolicy:
		fields.SetIfAbsent(&o.Spec.FailurePolicy, registrationv1beta1.Fail)
		defaultBeta(o.Spec.MatchConstraints)
	case *registrationv1beta1.ValidatingAdmissionPolicyBinding:
		defaultBeta(o.Spec.MatchResources)
	case *registrationv1beta1.MutatingAdmissionPolicy:
		fields.SetIfAbsent(&o.Spec.FailurePolicy, registrationv1beta1.Fail)
		defaultBeta(o.Spec.MatchConstraints)
	case *registrationv1beta1.MutatingAdmissionPolicyBinding:
		defaultBeta(o.Spec.MatchResources)

	case *registrationv1alpha1.ValidatingAdmissionPolicy:
		fields.SetIfAbsent(&o.Spec.FailurePolicy, registrationv1alpha1.Fail)
		defaultAlpha(o.Spec.MatchConstraints)
	case *registrationv1alpha1.ValidatingAdmissionPolicyBinding:
		defaultParams(o.Spec.ParamRef)
		defaultAlpha(o.Spec.MatchResources)
	case *registrationv1alpha1.MutatingAdmissionPolicy:
		fields.SetIfAbsent(&o.Spec.FailurePolicy, registrationv1alpha1.Fail)
		defaultAlpha(o.Spec.MatchConstraints)
	case *registrationv1alpha1.MutatingAdmissionPolicyBinding:
		defaultParams(o.Spec.ParamRef)
		defaultAlpha(o.Spec.MatchResources)
	}
}

// defaultV1 and its siblings differ in types only.
func defaultV1(m *registrationv1.MatchResources) {
	if m == nil {
		return
	}
	fields.SetIfAbsent(&m.MatchPolicy, registrationv1.Equivalent)
	defaultSelectors(&m.NamespaceSelector, &m.ObjectSelector)
	for i := range m.ResourceRules {
		defaultRule(&m.ResourceRules[i].RuleWithOperations)
	}
	for i := range m.ExcludeResourceRules {
		defaultRule(&m.ExcludeResourceRules[i].RuleWithOperations)
	}
}

func defaultBeta(m *registrationv1beta1.MatchResources) {
	if m == nil {
		return
	}
	fields.SetIfAbsent(&m.MatchPolicy, registrationv1beta1.Equivalent)
	defaultSelectors(&m.NamespaceSelector, &m.ObjectSelector)
	for i := range m.ResourceRules {
		defaultRule(&m.ResourceRules[i].RuleWithOperations)
	}
	for i := range m.ExcludeResourceRules {
		defaultRule(&m.ExcludeResourceRules[i].RuleWithOperations)
	}
}

func defaultAlpha(m *registrationv1alpha1.MatchResources) {
	if m == nil {
		return
	}
	fields.SetIfAbsent(&m.MatchPolicy, registrationv1alpha1.Equivalent)
	defaultSelectors(&m.NamespaceSelector, &m.ObjectSelector)
	for i := range m.ResourceRules {
		defaultRule(&m.ResourceRules[i].RuleWithOperations)
	}
	for i := range m.ExcludeResourceRules {
		defaultRule(&m.ExcludeResourceRules[i].RuleWithOperations)
	}
}

func defaultSelectors(selectors ...**metav1.LabelSelector) {
	for _, selector := range selectors {
		fields.SetIfAbsent(selector, metav1.LabelSelector{})
	}
}

func defaultRule(rule *registrationv1.RuleWithOperations) {
	fields.SetIfAbsent(&rule.Scope, registrationv1.AllScopes)
}

func defaultParams(ref *registrationv1alpha1.ParamRef) {
	if ref != nil {
		fields.SetIfAbsent(&ref.ParameterNotFoundAction, registrationv1alpha1.DenyAction)
	}
}
