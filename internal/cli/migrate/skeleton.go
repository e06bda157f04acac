package migrate

import (
	"fmt"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation"

	"example.com/gatehouse/admission"
)

// names are the names of policies that are taken.
type names map[policyName]bool

type policyName struct {
	phase admission.Phase
	name  string
}

// take returns the name of a webhook's policy: that of the webhook if it can be.
// Webhooks of several configurations may have the same name, and so may those of
// one in v1beta1.
func (n names) take(w *admission.Webhook) string {
	first := w.Name
	if strings.HasSuffix(first, ".static.k8s.io") {
		first += "-policy" // the ending is reserved for names of policies
	}
	name := first
	for i := 2; n[policyName{w.Phase, name}]; i++ {
		ending := fmt.Sprintf("-%d", i)
		cut := first[:min(len(first), validation.DNS1123SubdomainMaxLength-len(ending))]
		name = strings.TrimSuffix(cut, ".") + ending // no part of a name begins with a dash
	}
	n[policyName{w.Phase, name}] = true
	return name
}

// skeleton returns the policy and the binding of a webhook; nil if a policy cannot
// see any of its requests.
func skeleton(w *admission.Webhook, name string) (policy, binding runtime.Object) {
	match := constraints(w)
	if len(match.ResourceRules) == 0 {
		return nil, nil
	}
	meta := metav1.ObjectMeta{Name: name}
	bound := meta
	if len(name)+len("-binding") <= validation.DNS1123SubdomainMaxLength {
		bound.Name += "-binding"
	}
	if w.Phase == admission.Mutating {
		return mutating(w, meta, match), &registrationv1.MutatingAdmissionPolicyBinding{
			TypeMeta: typeMeta("MutatingAdmissionPolicyBinding"), ObjectMeta: bound,
			Spec: registrationv1.MutatingAdmissionPolicyBindingSpec{PolicyName: name},
		}
	}
	return validating(w, meta, match), &registrationv1.ValidatingAdmissionPolicyBinding{
		TypeMeta: typeMeta("ValidatingAdmissionPolicyBinding"), ObjectMeta: bound,
		Spec: registrationv1.ValidatingAdmissionPolicyBindingSpec{
			PolicyName:        name,
			ValidationActions: []registrationv1.ValidationAction{registrationv1.Deny},
		},
	}
}

func typeMeta(kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: registrationv1.SchemeGroupVersion.String(), Kind: kind}
}

func validating(
	w *admission.Webhook, meta metav1.ObjectMeta, match *registrationv1.MatchResources,
) runtime.Object {
	forbidden := metav1.StatusReasonForbidden
	return &registrationv1.ValidatingAdmissionPolicy{
		TypeMeta: typeMeta("ValidatingAdmissionPolicy"), ObjectMeta: meta,
		Spec: registrationv1.ValidatingAdmissionPolicySpec{
			MatchConstraints: match, MatchConditions: w.MatchConditions, FailurePolicy: w.FailurePolicy,
			Validations: []registrationv1.Validation{{Expression: "true", Reason: &forbidden}},
		},
	}
}

func mutating(
	w *admission.Webhook, meta metav1.ObjectMeta, match *registrationv1.MatchResources,
) runtime.Object {
	p := &registrationv1.MutatingAdmissionPolicy{
		TypeMeta: typeMeta("MutatingAdmissionPolicy"), ObjectMeta: meta,
		Spec: registrationv1.MutatingAdmissionPolicySpec{
			MatchConstraints: match, MatchConditions: w.MatchConditions, FailurePolicy: w.FailurePolicy,
			Mutations: []registrationv1.Mutation{{
				PatchType:          registrationv1.PatchTypeApplyConfiguration,
				ApplyConfiguration: &registrationv1.ApplyConfiguration{Expression: "Object{}"},
			}},
			ReinvocationPolicy: registrationv1.NeverReinvocationPolicy,
		},
	}
	if w.Reinvocable() {
		p.Spec.ReinvocationPolicy = registrationv1.IfNeededReinvocationPolicy
	}
	return p
}

// constraints returns what selects the requests of a webhook. There are no rules if
// none is left.
func constraints(w *admission.Webhook) *registrationv1.MatchResources {
	match := &registrationv1.MatchResources{
		NamespaceSelector: w.NamespaceSelector, ObjectSelector: w.ObjectSelector,
		MatchPolicy: w.MatchPolicy,
	}
	for _, rule := range w.Rules {
		if w.Phase == admission.Mutating {
			rule.Operations = slices.DeleteFunc(slices.Clone(rule.Operations), isDelete)
		}
		if len(rule.Operations) > 0 {
			match.ResourceRules = append(match.ResourceRules,
				registrationv1.NamedRuleWithOperations{RuleWithOperations: rule})
		}
	}
	if slices.ContainsFunc(w.Rules, seesConfigurations) {
		match.ExcludeResourceRules = []registrationv1.NamedRuleWithOperations{{
			RuleWithOperations: registrationv1.RuleWithOperations{
				Operations: []registrationv1.OperationType{registrationv1.OperationAll},
				Rule: registrationv1.Rule{
					APIGroups: []string{registrationv1.GroupName}, APIVersions: []string{"*"},
					Resources: webhookConfigurations(),
				},
			},
		}}
	}
	return match
}

func isDelete(o registrationv1.OperationType) bool { return o == registrationv1.Delete }

// webhookConfigurations are the resources that policies see, and webhooks do not
// (S-012).
func webhookConfigurations() []string {
	return []string{"mutatingwebhookconfigurations", "validatingwebhookconfigurations"}
}

// seesConfigurations reports whether a policy with a rule sees them.
func seesConfigurations(r registrationv1.RuleWithOperations) bool {
	group := func(name string) bool { return name == "*" || name == registrationv1.GroupName }
	resource := func(name string) bool {
		return name == "*" || name == "*/*" || slices.Contains(webhookConfigurations(), name)
	}
	return slices.ContainsFunc(r.APIGroups, group) && slices.ContainsFunc(r.Resources, resource)
}
