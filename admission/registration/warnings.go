package registration

import (
	"fmt"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/registration/internal/fields"
)

// Warnings returns the warnings of kube-apiserver v1.37 for writing c, with its
// texts and in its order; nil for nil and other types. They
// are the same for a creation and an update: the only warning that is specific
// to updates is about names that the server rejects on creation.
func Warnings(c Configuration) []string {
	v, err := viewOf(c)
	if err != nil {
		return nil
	}
	warnings := fields.ReservedNameWarning(v.meta.Name)
	for i, w := range v.webhooks {
		at := field.NewPath("webhooks").Index(i).Child("rules")
		for j := range w.Rules {
			warnings = append(warnings, aboutRule(&w.Rules[j], at.Index(j))...)
		}
	}
	return warnings
}

// aboutRule warns of every resource in a rule that no webhook receives, once
// . It does not warn of rules with a wildcard for groups or resources.
func aboutRule(r *registrationv1.RuleWithOperations, at *field.Path) []string {
	if slices.Contains(r.APIGroups, fields.Everything) ||
		slices.Contains(r.Resources, fields.Everything) {
		return nil
	}
	var warnings []string
	for _, group := range r.APIGroups {
		for _, resource := range r.Resources {
			named := schema.GroupResource{Group: group, Resource: resource}
			if !slices.Contains(admission.ExcludedResources(), named) {
				continue
			}
			warning := fmt.Sprintf(
				"%s: %s is excluded from admission webhooks; this rule will have no effect", at, named)
			if !slices.Contains(warnings, warning) {
				warnings = append(warnings, warning)
			}
		}
	}
	return warnings
}
