package explain

import (
	"math/bits"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
)

// gaps are the parts of a rule in which it differs from a request, as a set.
type gaps uint8

const (
	gapScope gaps = 1 << iota
	gapOperation
	gapGroup
	gapVersion
	gapResource
	gapSubresource
)

// asked is what a request asks of a rule.
type asked struct {
	operation   string
	resource    resourceID
	subresource string
	namespaced  bool
}

func (q *Request) asked() asked {
	return asked{operation: q.Operation, resource: q.Resource, subresource: q.Subresource, namespaced: q.Namespace != ""}
}

// gapsOf compares all parts of a rule with what is asked, where matching stops at the
// first that differs (S-110). It is for hints only.
func gapsOf(rule *registrationv1.RuleWithOperations, a *asked) gaps {
	g := a.resourceGaps(rule.Resources)
	if !a.inScope(rule.Scope) {
		g |= gapScope
	}
	if !has(rule.Operations, registrationv1.OperationType(a.operation)) {
		g |= gapOperation
	}
	if !has(rule.APIGroups, a.resource.Group) {
		g |= gapGroup
	}
	if !has(rule.APIVersions, a.resource.Version) {
		g |= gapVersion
	}
	return g
}

func has[T ~string](list []T, one T) bool {
	return slices.Contains(list, one) || slices.Contains(list, "*")
}

// inScope follows matching, for which namespaces are cluster-scoped although requests
// for them have a namespace (S-111).
func (a *asked) inScope(scope *registrationv1.ScopeType) bool {
	return scope == nil || *scope == registrationv1.AllScopes || *scope == a.scope()
}

func (a *asked) scope() registrationv1.ScopeType {
	if a.namespaced && a.resource != (resourceID{Version: "v1", Resource: "namespaces"}) {
		return registrationv1.NamespacedScope
	}
	return registrationv1.ClusterScope
}

// resourceGaps are those of the nearest entry of a list (S-113).
func (a *asked) resourceGaps(list []string) gaps {
	best := gapResource | gapSubresource
	if a.subresource == "" {
		best = gapResource
	}
	for _, entry := range list {
		resource, subresource := splitEntry(entry)
		var g gaps
		if resource != "*" && resource != a.resource.Resource {
			g |= gapResource
		}
		if subresource != "*" && subresource != a.subresource {
			g |= gapSubresource
		}
		// Another subresource of the same resource is nearer than the same
		// subresource of another one.
		if bits.OnesCount8(uint8(g)) < bits.OnesCount8(uint8(best)) || g == gapSubresource && best == gapResource {
			best = g
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
var widths = [...]int{1, 3, 5, 2, 8, 1}

// far is how far away a rule is: the number of its gaps, and of rules with as many the
// one in which less would have to be changed.
func (g gaps) far() int {
	far := 100 * bits.OnesCount8(uint8(g))
	for i, width := range widths {
		if g&(1<<i) != 0 {
			far += width
		}
	}
	return far
}

// maxRules is how many rules are looked at. Who has more cannot want a hint about each.
const maxRules = 1000

// nearest returns the rule with the fewest gaps, and what of the candidates it is
// nearest to; the first of several.
func nearest(rules []registrationv1.RuleWithOperations, candidates []asked) (rule int, to *asked, g gaps) {
	rule = -1
	for i := range rules[:min(len(rules), maxRules)] {
		for j := range candidates {
			if found := gapsOf(&rules[i], &candidates[j]); rule < 0 || found.far() < g.far() {
				rule, to, g = i, &candidates[j], found
			}
		}
	}
	return rule, to, g
}
