package explain

import (
	"math/bits"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
)

// gaps are the parts of a rule in which it differs from a request, as a set.
type ruleDiff uint8

const (
	diffScope ruleDiff = 1 << iota
	diffOperation
	diffGroup
	diffVersion
	diffResource
	diffSubresource
)

// asked is what a request asks of a rule.
type ruleQuery struct {
	operation   string
	resource    resourceID
	subresource string
	namespaced  bool
}

func (q *Request) ruleQuery() ruleQuery {
	return ruleQuery{operation: q.Operation, resource: q.Resource, subresource: q.Subresource, namespaced: q.Namespace != ""}
}

// gapsOf compares all parts of a rule with what is asked, where matching stops at the
// first that differs (S-110). It is for hints only.
func compareRule(rule *registrationv1.RuleWithOperations, q *ruleQuery) ruleDiff {
	d := q.compareResources(rule.Resources)
	if !q.matchesScope(rule.Scope) {
		d |= diffScope
	}
	if !containsOrWildcard(rule.Operations, registrationv1.OperationType(q.operation)) {
		d |= diffOperation
	}
	if !containsOrWildcard(rule.APIGroups, q.resource.Group) {
		d |= diffGroup
	}
	if !containsOrWildcard(rule.APIVersions, q.resource.Version) {
		d |= diffVersion
	}
	return d
}

func containsOrWildcard[T ~string](list []T, item T) bool {
	return slices.Contains(list, item) || slices.Contains(list, "*")
}

// inScope follows matching, for which namespaces are cluster-scoped although requests
// for them have a namespace (S-111).
func (q *ruleQuery) matchesScope(scope *registrationv1.ScopeType) bool {
	return scope == nil || *scope == registrationv1.AllScopes || *scope == q.scope()
}

func (q *ruleQuery) scope() registrationv1.ScopeType {
	if q.namespaced && q.resource != (resourceID{Version: "v1", Resource: "namespaces"}) {
		return registrationv1.NamespacedScope
	}
	return registrationv1.ClusterScope
}

// resourceGaps are those of the nearest entry of a list (S-113).
func (q *ruleQuery) compareResources(list []string) ruleDiff {
	best := diffResource | diffSubresource
	if q.subresource == "" {
		best = diffResource
	}
	for _, entry := range list {
		resource, subresource := splitEntry(entry)
		var d ruleDiff
		if resource != "*" && resource != q.resource.Resource {
			d |= diffResource
		}
		if subresource != "*" && subresource != q.subresource {
			d |= diffSubresource
		}
		// Another subresource of the same resource is nearer than the same
		// subresource of another one.
		if bits.OnesCount8(uint8(d)) < bits.OnesCount8(uint8(best)) || d == diffSubresource && best == diffResource {
			best = d
		}
	}
	return best
}

// splitEntry divides an entry of a rule's resources as matching does: at the first slash.
func splitEntry(entry string) (resource, subresource string) {
	resource, subresource, _ = strings.Cut(entry, "/")
	return resource, subresource
}

// widths are how much each part counts, in the order of the gaps.
var weights = [...]int{1, 3, 5, 2, 8, 1}

// far is how far away a rule is: the number of its gaps, and of rules with as many the
// one in which less would have to be changed.
func (d ruleDiff) sum() int {
	sum := 100 * bits.OnesCount8(uint8(d))
	for i, weight := range weights {
		if d&(1<<i) != 0 {
			sum += weight
		}
	}
	return sum
}

// maxRules is how many rules are looked at. Who has more cannot want a hint about each.
const maxRules = 1000

// nearest returns the rule with the fewest gaps, and what of the candidates it is
// nearest to; the first of several.
func nearestRule(rules []registrationv1.RuleWithOperations, queries []ruleQuery) (rule int, query *ruleQuery, d ruleDiff) {
	rule = -1
	for i := range rules[:min(len(rules), maxRules)] {
		for j := range queries {
			if found := compareRule(&rules[i], &queries[j]); rule < 0 || found.sum() < d.sum() {
				rule, query, d = i, &queries[j], found
			}
		}
	}
	return rule, query, d
}
