package explain

import (
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// nearMiss reports whether one thing kept w from being called: a selector,
// although a rule matches the request; one condition; reinvocation; or one part
// of a rule for the requested resource.
func (a *analyzer) nearMiss(w *Webhook) bool {
	switch w.Stage {
	case stageNamespaceSelector, stageObjectSelector:
		_, query, missed := a.nearestRule(w)
		return query != nil && len(missed) == 0
	case stageReinvocation:
		return true
	case stageConditions:
		return len(filter(w.Match.Conditions, (*Condition).isUnmet)) <= 1
	case stageRules:
		i, query, missed := a.nearestRule(w)
		if len(missed) != 1 {
			return false
		}
		return a.isMeant(missed[0], &w.Spec.Rules[i], query)
	}
	return false
}

// isUnmet reports whether the condition is false or failed.
func (c *Condition) isUnmet() bool { return c.Value == nil || !*c.Value }

// isMeant reports whether a rule of which one part does not match was probably
// meant for the requested resource.
func (a *analyzer) isMeant(
	missed admission.RulePart, rule *registrationv1.RuleWithOperations, query *matching.RuleQuery,
) bool {
	switch missed {
	case admission.RuleResources:
		return slices.ContainsFunc(rule.Resources, func(entry string) bool {
			resource, _, _ := strings.Cut(entry, "/")
			return resource == "*" || resource == query.Resource.Resource ||
				misspelledResource(resource, query, a.e.Request.Kind.Kind) != ""
		})
	case admission.RuleGroups: // a rule for all resources of a group is not for another group
		return !slices.ContainsFunc(rule.Resources,
			func(entry string) bool { return strings.HasPrefix(entry, "*") })
	default:
		return true
	}
}
