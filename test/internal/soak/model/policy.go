package model

import (
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	registration "example.com/gatehouse/admission/registration/policy"
)

// policyTeam is the team of the pods that policies apply to, and policyLabel
// what a policy adds to them.
const (
	policyTeam  = "blue"
	policyLabel = "policy"
)

// Policies returns a policy for each phase, and their bindings. The mutating one
// labels pods, and the validating one denies dry runs, and pods without the
// label.
func Policies() []runtime.Object {
	meta := metav1.ObjectMeta{Name: "soak"}
	matches := &registrationv1.MatchResources{
		ObjectSelector: &metav1.LabelSelector{MatchLabels: map[string]string{teamLabel: policyTeam}},
		ResourceRules: []registrationv1.NamedRuleWithOperations{{
			RuleWithOperations: registrationv1.RuleWithOperations{
				Operations: []registrationv1.OperationType{registrationv1.Create, registrationv1.Update},
				Rule: registrationv1.Rule{
					APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{Pods},
				},
			},
		}},
	}
	objects := []runtime.Object{
		&registrationv1.MutatingAdmissionPolicy{ObjectMeta: meta,
			Spec: registrationv1.MutatingAdmissionPolicySpec{
				MatchConstraints:   matches,
				ReinvocationPolicy: registrationv1.NeverReinvocationPolicy,
				Mutations: []registrationv1.Mutation{{
					PatchType: registrationv1.PatchTypeJSONPatch,
					JSONPatch: &registrationv1.JSONPatch{Expression: `[JSONPatch{
						op: "add", path: "/metadata/labels/` + policyLabel + `", value: "1"}]`},
				}},
			}},
		&registrationv1.ValidatingAdmissionPolicy{ObjectMeta: meta,
			Spec: registrationv1.ValidatingAdmissionPolicySpec{
				MatchConstraints: matches,
				Validations: []registrationv1.Validation{{
					Expression: `"` + policyLabel + `" in object.metadata.labels && request.dryRun != true`}},
			}},
		&registrationv1.MutatingAdmissionPolicyBinding{ObjectMeta: meta,
			Spec: registrationv1.MutatingAdmissionPolicyBindingSpec{PolicyName: meta.Name}},
		&registrationv1.ValidatingAdmissionPolicyBinding{ObjectMeta: meta,
			Spec: registrationv1.ValidatingAdmissionPolicyBindingSpec{PolicyName: meta.Name,
				ValidationActions: []registrationv1.ValidationAction{registrationv1.Deny}}},
	}
	for _, o := range objects {
		registration.Default(o.(registration.Object))
	}
	return objects
}

// policies takes the request through Policies, before the webhooks.
func (p *prediction) policies() {
	r := p.request
	applies := r.Resource == Pods && (r.Team == policyTeam || r.OldTeam == policyTeam) &&
		r.Operation != apiadmission.Delete
	switch {
	case !applies || p.second:
	case p.phase == admission.Mutating:
		p.kinds |= PolicyMutated
		p.labels[policyLabel] = "1"
		p.more = true
	case r.DryRun:
		p.kinds |= PolicyDenied
		p.object(deniedByPolicy)
	}
}
