package explain

import (
	"fmt"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// rulesHint covers the rule with the smallest distance to the request.
func (a *analyzer) rulesHint(w *Webhook) string {
	if w.Error != "" {
		return fmt.Sprintf(
			"the server has no kind for an equivalent of %s: add a rule for %s itself",
			a.e.Request.resourceName(), groupResource(a.e.Request.Resource))
	}
	if len(w.Spec.Rules) == 0 {
		return "add a rule: a webhook without rules is never called"
	}
	i, query, missed := a.nearestRule(w)
	if len(missed) == 0 {
		return ""
	}
	var clauses []string
	for _, part := range missed {
		clauses = append(clauses, a.clause(part, &w.Spec.Rules[i], query))
	}
	return fmt.Sprintf("rules[%d] %s%s", i, strings.Join(clauses, "; it "),
		a.policyRemark(w, i, missed))
}

// maxRules limits how many rules of a webhook are compared.
const maxRules = 1000

// nearestRule returns the rule of which the fewest parts do not match the
// request, with the query it was compared with and these parts. Of several
// rules it prefers those for the requested resource, and then the first.
func (a *analyzer) nearestRule(
	w *Webhook,
) (rule int, query *matching.RuleQuery, missed []admission.RulePart) {
	queries := a.ruleQueries(w)
	for i := range w.Spec.Rules[:min(len(w.Spec.Rules), maxRules)] {
		for j := range queries {
			if found := queries[j].Misses(&w.Spec.Rules[i]); query == nil ||
				distance(found) < distance(missed) {
				rule, query, missed = i, &queries[j], found
			}
		}
	}
	return rule, query, missed
}

func distance(missed []admission.RulePart) int {
	sum := 2 * len(missed)
	if slices.Contains(missed, admission.RuleResources) {
		sum++
	}
	return sum
}

// clause describes a part that does not match, as the end of a sentence about
// the rule.
func (a *analyzer) clause(
	part admission.RulePart, rule *registrationv1.RuleWithOperations, query *matching.RuleQuery,
) string {
	switch part {
	case admission.RuleScope:
		return scopeClause(*rule.Scope, query)
	case admission.RuleOperations:
		return operationClause(rule.Operations, query.Operation)
	case admission.RuleGroups:
		return groupClause(rule.APIGroups, query.Resource.Group)
	case admission.RuleVersions:
		return versionClause(rule.APIVersions, query.Resource)
	default:
		return resourceClause(rule.Resources, query, a.e.Request.Kind.Kind)
	}
}

// ruleQuery returns what rules are compared with for a resource that is
// equivalent to the request's, or the request's.
func (q *Request) ruleQuery(r metav1.GroupVersionResource) matching.RuleQuery {
	return matching.RuleQuery{
		Operation: q.Operation, Resource: schema.GroupVersionResource(r),
		Subresource: q.Subresource, Namespaced: q.Namespace != "",
	}
}

// ruleQueries returns what the webhook's rules are compared with: the request's
// own resource, and with matchPolicy Equivalent its known equivalents.
func (a *analyzer) ruleQueries(w *Webhook) []matching.RuleQuery {
	all := []matching.RuleQuery{a.e.Request.ruleQuery(a.e.Request.Resource)}
	if w.Spec.MatchPolicy != string(registrationv1.Equivalent) {
		return all
	}
	tried, _ := a.equivalents()
	for _, r := range tried[:min(len(tried), longList)] {
		all = append(all, a.e.Request.ruleQuery(r))
	}
	return all
}

// equivalents returns the equivalents of the request's resource. They are known
// if matching has tried them for any webhook with matchPolicy Equivalent.
func (a *analyzer) equivalents() (tried []metav1.GroupVersionResource, known bool) {
	for _, w := range a.e.webhooks() {
		missed := w.Stage == stageRules && w.Spec.MatchPolicy == string(registrationv1.Equivalent) &&
			len(w.Spec.Rules) > 0
		if missed || len(w.Match.Equivalents) > 0 {
			return w.Match.Equivalents, true
		}
	}
	return nil, false
}

// policyRemark adds the effect of matchPolicy.
func (a *analyzer) policyRemark(w *Webhook, rule int, missed []admission.RulePart) string {
	tried, known := a.equivalents()
	if w.Spec.MatchPolicy == string(registrationv1.Equivalent) {
		if len(tried) == 0 || !slices.Contains(missed, admission.RuleGroups) &&
			!slices.Contains(missed, admission.RuleVersions) {
			return ""
		}
		return fmt.Sprintf(" (tried as %s too)", listWords(groupVersions(tried)))
	}
	r := &w.Spec.Rules[rule]
	resource := printableWord(a.e.Request.Resource.Resource)
	for _, other := range tried {
		if equivalent := a.e.Request.ruleQuery(other); len(equivalent.Misses(r)) == 0 {
			return fmt.Sprintf("; or use matchPolicy Equivalent instead of Exact: %s are known as %s too",
				resource, groupVersion(other))
		}
	}
	if known || !slices.Equal(missed, []admission.RulePart{admission.RuleVersions}) ||
		!slices.ContainsFunc(r.APIVersions, looksLikeVersion) {
		return ""
	}
	return fmt.Sprintf("; or use matchPolicy Equivalent instead of Exact, if the server knows %s in such a version", resource)
}

func groupVersion(r metav1.GroupVersionResource) string {
	return schema.GroupVersion{Group: r.Group, Version: r.Version}.String()
}

func groupVersions(all []metav1.GroupVersionResource) []string {
	var names []string
	for _, r := range all {
		names = append(names, groupVersion(r))
	}
	return names
}

// groupResource formats a resource as in deployments.apps.
func groupResource(r metav1.GroupVersionResource) string {
	return printableWord(schema.GroupResource{Group: r.Group, Resource: r.Resource}.String())
}
