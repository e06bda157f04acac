package sample

import (
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"example.com/gatehouse/internal/offline/kinds"
)

// maxOpen is the number of kinds chosen for a wildcard if it matches none of
// the usual kinds.
const maxOpen = 3

// chosen returns resources that represent all that a rule matches.
func (m *maker) chosen(r *registrationv1.RuleWithOperations) []kinds.Resource {
	all := slices.DeleteFunc(slices.Clone(m.resources),
		func(at kinds.Resource) bool { return !m.wants(r, at) })
	if slices.Contains(r.APIVersions, "*") {
		all = preferred(all)
	}
	return m.narrowed(r, all)
}

// wants reports whether a rule matches any action on a resource.
func (m *maker) wants(r *registrationv1.RuleWithOperations, at kinds.Resource) bool {
	scope := registrationv1.ClusterScope
	if at.Namespaced {
		scope = registrationv1.NamespacedScope
	}
	if r.Scope != nil && *r.Scope != registrationv1.AllScopes && *r.Scope != scope ||
		!matches(r.APIVersions, at.Version) {
		return false
	}
	name := []schema.GroupResource{at.GroupResource()}
	return slices.ContainsFunc(m.possibleActions(at),
		func(a action) bool { return ruleWants(r, name, a) })
}

// preferred returns the preferred version of each resource, in the position of
// its first version.
func preferred(all []kinds.Resource) []kinds.Resource {
	var best []kinds.Resource
	for _, at := range all {
		i := slices.IndexFunc(
			best, func(known kinds.Resource) bool { return known.GroupResource() == at.GroupResource() })
		switch {
		case i < 0:
			best = append(best, at)
		case version.CompareKubeAwareVersionStrings(at.Version, best[i].Version) > 0:
			best[i] = at
		}
	}
	return best
}

// narrowed returns the resources that the rule names, and the usual ones among
// the others.
func (m *maker) narrowed(
	r *registrationv1.RuleWithOperations, all []kinds.Resource,
) []kinds.Resource {
	var named, common, rest []kinds.Resource
	for _, at := range all {
		isNamed := slices.ContainsFunc(r.Resources, func(resource string) bool {
			name, _, _ := strings.Cut(resource, "/")
			return name == at.Resource
		})
		switch {
		case isNamed:
			named = append(named, at)
		case m.usual(at):
			common = append(common, at)
		default:
			rest = append(rest, at)
		}
	}
	if len(named)+len(common) == 0 {
		return rest[:min(len(rest), maxOpen)]
	}
	return slices.Concat(named, common)
}

// usual reports whether a resource represents the matches of a wildcard.
func (m *maker) usual(at kinds.Resource) bool {
	switch at.GroupResource().String() {
	case "pods", "configmaps", "services", "namespaces", "deployments.apps", "roles.rbac.authorization.k8s.io":
		return true
	}
	return m.definition(at.Kind) != nil
}
