package explain

import (
	"fmt"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
)

// rulesHint is about the rule that is nearest to the request.
func (a *advisor) rulesHint(w *Webhook) string {
	if w.Error != "" {
		return fmt.Sprintf("the server cannot say what kind an equivalent of %s is: add a rule for %s itself",
			a.e.Request.what(), groupResource(a.e.Request.Resource))
	}
	if len(w.Spec.Rules) == 0 {
		return "add a rule: a webhook without rules is never called"
	}
	candidates := a.candidates(w)
	i, to, g := nearest(w.Spec.Rules, candidates)
	if i < 0 || g == 0 {
		return ""
	}
	rule := &w.Spec.Rules[i]
	hint := fmt.Sprintf("rules[%d] %s", i, strings.Join(a.clauses(rule, to, g), "; it "))
	return hint + a.policyRemark(w, i, g)
}

// clauses say for each gap what the rule has and what it should have, as ends of
// sentences about the rule.
func (a *advisor) clauses(rule *registrationv1.RuleWithOperations, to *asked, g gaps) []string {
	var all []string
	for _, gap := range []gaps{gapScope, gapOperation, gapGroup, gapVersion} {
		if g&gap != 0 {
			all = append(all, clauseOf(gap, rule, to))
		}
	}
	if g&(gapResource|gapSubresource) != 0 {
		all = append(all, resourceClause(rule.Resources, to, a.e.Request.Kind.Kind, g))
	}
	return all
}

func clauseOf(gap gaps, rule *registrationv1.RuleWithOperations, to *asked) string {
	switch gap {
	case gapScope:
		return scopeClause(*rule.Scope, to)
	case gapOperation:
		return operationClause(rule.Operations, to.operation)
	case gapGroup:
		return groupClause(rule.APIGroups, to.resource.Group)
	default:
		return versionClause(rule.APIVersions, to.resource)
	}
}

// candidates are what rules are compared with: the request's own resource, and under
// matchPolicy Equivalent all that is known to be the same.
func (a *advisor) candidates(w *Webhook) []asked {
	own := a.e.Request.asked()
	all := []asked{own}
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

// equivalents are the other versions of the request's resource. They are known as soon
// as any webhook with matchPolicy Equivalent has had them tried.
func (a *advisor) equivalents() (tried []resourceID, known bool) {
	if a.looked {
		return a.tried, a.known
	}
	a.looked = true
	for i := range a.e.Rounds {
		for j := range a.e.Rounds[i].Webhooks {
			w := &a.e.Rounds[i].Webhooks[j]
			missed := w.Stage == stageRules && w.Spec.MatchPolicy == string(registrationv1.Equivalent) && len(w.Spec.Rules) > 0
			if m := &w.Match; missed || len(m.Equivalents) > 0 {
				a.tried, a.known = m.Equivalents, true
				return a.tried, a.known
			}
		}
	}
	return nil, false
}

// policyRemark says what matchPolicy has to do with it.
func (a *advisor) policyRemark(w *Webhook, rule int, g gaps) string {
	tried, known := a.equivalents()
	if w.Spec.MatchPolicy == string(registrationv1.Equivalent) {
		if g&(gapGroup|gapVersion) == 0 || len(tried) == 0 {
			return ""
		}
		return fmt.Sprintf(" (tried as %s too)", some(groupVersions(tried)))
	}
	r := &w.Spec.Rules[rule]
	own := a.e.Request.asked()
	for _, other := range tried {
		equivalent := own
		equivalent.resource = other
		if gapsOf(r, &equivalent) == 0 {
			return fmt.Sprintf("; or use matchPolicy Equivalent instead of Exact: %s are known as %s too", inWords(own.resource.Resource), groupVersion(other))
		}
	}
	if known || g != gapVersion || !slices.ContainsFunc(r.APIVersions, plausibleVersion) {
		return ""
	}
	return fmt.Sprintf("; or use matchPolicy Equivalent instead of Exact, if the server knows %s in such a version", inWords(own.resource.Resource))
}

// foreseeRules speaks only if no equivalent could help.
func (a *advisor) foreseeRules(w *Webhook) string {
	_, known := a.equivalents()
	if len(w.Spec.Rules) > 0 && !known && w.Spec.MatchPolicy == string(registrationv1.Equivalent) && !a.hopeless(w) {
		return ""
	}
	return a.rulesHint(w)
}

// hopeless reports whether every rule lacks what no equivalent has either.
func (a *advisor) hopeless(w *Webhook) bool {
	own := a.e.Request.asked()
	for i := range w.Spec.Rules[:min(len(w.Spec.Rules), maxRules)] {
		if gapsOf(&w.Spec.Rules[i], &own)&gapOperation == 0 {
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

// groupResource is a resource as people write it: deployments.apps.
func groupResource(r resourceID) string {
	if r.Group == "" {
		return inWords(r.Resource)
	}
	return inWords(r.Resource) + "." + inWords(r.Group)
}
