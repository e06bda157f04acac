package explain

import (
	"fmt"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
)

// rulesHint covers the rule with the smallest distance to the request.
func (a *analyzer) rulesHint(w *Webhook) string {
	if w.Error != "" {
		return fmt.Sprintf("the server cannot say what kind an equivalent of %s is: add a rule for %s itself",
			a.e.Request.resourceName(), groupResource(a.e.Request.Resource))
	}
	if len(w.Spec.Rules) == 0 {
		return "add a rule: a webhook without rules is never called"
	}
	queries := a.ruleQueries(w)
	i, query, d := nearestRule(w.Spec.Rules, queries)
	if i < 0 || d == 0 {
		return ""
	}
	rule := &w.Spec.Rules[i]
	hint := fmt.Sprintf("rules[%d] %s", i, strings.Join(a.clauses(rule, query, d), "; it "))
	return hint + a.policyRemark(w, i, d)
}

// clauses describes each part that does not match, as ends of sentences about the rule.
func (a *analyzer) clauses(rule *registrationv1.RuleWithOperations, query *ruleQuery, d ruleDiff) []string {
	var all []string
	for _, part := range []ruleDiff{diffScope, diffOperation, diffGroup, diffVersion} {
		if d&part != 0 {
			all = append(all, clauseOf(part, rule, query))
		}
	}
	if d&(diffResource|diffSubresource) != 0 {
		all = append(all, resourceClause(rule.Resources, query, a.e.Request.Kind.Kind, d))
	}
	return all
}

func clauseOf(part ruleDiff, rule *registrationv1.RuleWithOperations, query *ruleQuery) string {
	switch part {
	case diffScope:
		return scopeClause(*rule.Scope, query)
	case diffOperation:
		return operationClause(rule.Operations, query.operation)
	case diffGroup:
		return groupClause(rule.APIGroups, query.resource.Group)
	default:
		return versionClause(rule.APIVersions, query.resource)
	}
}

// ruleQueries returns what the webhook's rules are compared with: the request's own
// resource, and with matchPolicy Equivalent its known equivalents.
func (a *analyzer) ruleQueries(w *Webhook) []ruleQuery {
	own := a.e.Request.ruleQuery()
	all := []ruleQuery{own}
	if w.Spec.MatchPolicy != string(registrationv1.Equivalent) {
		return all
	}
	tried, _ := a.equivalents()
	for _, r := range tried[:min(len(tried), longList)] {
		other := own
		other.resource = r
		all = append(all, other)
	}
	return all
}

// equivalents returns the equivalents of the request's resource. They are known if
// matching has tried them for any webhook with matchPolicy Equivalent.
func (a *analyzer) equivalents() (tried []resourceID, known bool) {
	if a.equivalentsRead {
		return a.equivalentResources, a.equivalentsKnown
	}
	a.equivalentsRead = true
	for i := range a.e.Rounds {
		for j := range a.e.Rounds[i].Webhooks {
			w := &a.e.Rounds[i].Webhooks[j]
			missed := w.Stage == stageRules && w.Spec.MatchPolicy == string(registrationv1.Equivalent) && len(w.Spec.Rules) > 0
			if m := &w.Match; missed || len(m.Equivalents) > 0 {
				a.equivalentResources, a.equivalentsKnown = m.Equivalents, true
				return a.equivalentResources, a.equivalentsKnown
			}
		}
	}
	return nil, false
}

// policyRemark adds the effect of matchPolicy.
func (a *analyzer) policyRemark(w *Webhook, rule int, d ruleDiff) string {
	tried, known := a.equivalents()
	if w.Spec.MatchPolicy == string(registrationv1.Equivalent) {
		if d&(diffGroup|diffVersion) == 0 || len(tried) == 0 {
			return ""
		}
		return fmt.Sprintf(" (tried as %s too)", listWords(groupVersions(tried)))
	}
	r := &w.Spec.Rules[rule]
	own := a.e.Request.ruleQuery()
	for _, other := range tried {
		equivalent := own
		equivalent.resource = other
		if compareRule(r, &equivalent) == 0 {
			return fmt.Sprintf("; or use matchPolicy Equivalent instead of Exact: %s are known as %s too", printableWord(own.resource.Resource), groupVersion(other))
		}
	}
	if known || d != diffVersion || !slices.ContainsFunc(r.APIVersions, looksLikeVersion) {
		return ""
	}
	return fmt.Sprintf("; or use matchPolicy Equivalent instead of Exact, if the server knows %s in such a version", printableWord(own.resource.Resource))
}

// laterRulesHint is empty if an equivalent that is not known might match.
func (a *analyzer) laterRulesHint(w *Webhook) string {
	_, known := a.equivalents()
	if len(w.Spec.Rules) > 0 && !known && w.Spec.MatchPolicy == string(registrationv1.Equivalent) && !a.noRuleForOperation(w) {
		return ""
	}
	return a.rulesHint(w)
}

// noRuleForOperation reports whether no rule has the request's operation, so that no
// equivalent can match either.
func (a *analyzer) noRuleForOperation(w *Webhook) bool {
	own := a.e.Request.ruleQuery()
	for i := range w.Spec.Rules[:min(len(w.Spec.Rules), maxRules)] {
		if compareRule(&w.Spec.Rules[i], &own)&diffOperation == 0 {
			return false
		}
	}
	return len(w.Spec.Rules) <= maxRules
}

func groupVersion(r resourceID) string {
	if r.Group == "" {
		return r.Version
	}
	return r.Group + "/" + r.Version
}

func groupVersions(all []resourceID) []string {
	names := make([]string, 0, shortList)
	for _, r := range all {
		names = append(names, groupVersion(r))
	}
	return names
}

// groupResource formats a resource as in deployments.apps.
func groupResource(r resourceID) string {
	if r.Group == "" {
		return printableWord(r.Resource)
	}
	return printableWord(r.Resource) + "." + printableWord(r.Group)
}
