package explain

import (
	"math/bits"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
)

// ruleDiff is the set of the parts of a rule that do not match a request.
type ruleDiff uint8

const (
	diffScope ruleDiff = 1 << iota
	diffOperation
	diffGroup
	diffVersion
	diffResource
	diffSubresource
)

// ruleQuery is what a rule is compared with: the operation and one resource of a
// request.
type ruleQuery struct {
	operation   string
	resource    resourceID
	subresource string
	namespaced  bool
}

func (q *Request) ruleQuery() ruleQuery {
	return ruleQuery{operation: q.Operation, resource: q.Resource, subresource: q.Subresource, namespaced: q.Namespace != ""}
}

// compareRule compares all parts of a rule, while matching stops at the first part that
// does not match (S-110).
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

// matchesScope follows matching, in which namespaces are cluster-scoped although
// requests for them have a namespace (S-111).
func (q *ruleQuery) matchesScope(scope *registrationv1.ScopeType) bool {
	return scope == nil || *scope == registrationv1.AllScopes || *scope == q.scope()
}

func (q *ruleQuery) scope() registrationv1.ScopeType {
	if q.namespaced && q.resource != (resourceID{Version: "v1", Resource: "namespaces"}) {
		return registrationv1.NamespacedScope
	}
	return registrationv1.ClusterScope
}

// compareResources returns the difference to the nearest entry of a rule's resources
// (S-113).
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

// splitEntry splits an entry of a rule's resources at the first slash, as matching does.
func splitEntry(entry string) (resource, subresource string) {
	resource, subresource, _ = strings.Cut(entry, "/")
	return resource, subresource
}

// weights has the weight of each part, in the order of the bits of ruleDiff.
var weights = [...]int{1, 3, 5, 2, 8, 1}

// distance orders rules by the number of parts to change, and then by the weights of
// these parts.
func (d ruleDiff) distance() int {
	sum := 100 * bits.OnesCount8(uint8(d))
	for i, weight := range weights {
		if d&(1<<i) != 0 {
			sum += weight
		}
	}
	return sum
}

// maxRules limits how many rules of a webhook are compared.
const maxRules = 1000

// nearestRule returns the rule with the smallest distance to any of the queries, with
// that query; the first one of several.
func nearestRule(rules []registrationv1.RuleWithOperations, queries []ruleQuery) (rule int, query *ruleQuery, d ruleDiff) {
	rule = -1
	for i := range rules[:min(len(rules), maxRules)] {
		for j := range queries {
			if found := compareRule(&rules[i], &queries[j]); rule < 0 || found.distance() < d.distance() {
				rule, query, d = i, &queries[j], found
			}
		}
	}
	return rule, query, d
}
