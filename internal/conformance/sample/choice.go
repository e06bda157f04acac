package sample

import (
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"example.com/gatehouse/internal/offline/kinds"
)

// few is how many kinds are chosen where none of the usual ones will do.
const few = 3

// chosen returns the resources that stand for all that a rule asks for.
func (m *maker) chosen(r *registrationv1.RuleWithOperations) []kinds.Resource {
	var served, past []kinds.Resource
	for _, at := range m.resources {
		if !m.asks(r, at) {
			continue
		}
		if _, isPast := m.Kinds.Past(at.Kind); isPast {
			past = append(past, at)
		} else {
			served = append(served, at)
		}
	}
	all := served
	if len(served) == 0 {
		all = past // the rule was written for an old cluster
	}
	if slices.Contains(r.APIVersions, "*") {
		all = preferred(all)
	}
	return m.narrowed(r, all)
}

// asks reports whether a rule asks for anything of a resource.
func (m *maker) asks(r *registrationv1.RuleWithOperations, at kinds.Resource) bool {
	scope := registrationv1.ClusterScope
	if at.Namespaced {
		scope = registrationv1.NamespacedScope
	}
	if r.Scope != nil && *r.Scope != registrationv1.AllScopes && *r.Scope != scope || !matches(r.APIVersions, at.Version) {
		return false
	}
	name := []schema.GroupResource{at.GroupResource()}
	return slices.ContainsFunc(m.possible(at), func(a ask) bool { return about(r, name, a) })
}

// preferred returns the best version of each resource, in the place of the first one.
func preferred(all []kinds.Resource) []kinds.Resource {
	var best []kinds.Resource
	for _, at := range all {
		i := slices.IndexFunc(best, func(known kinds.Resource) bool { return known.GroupResource() == at.GroupResource() })
		switch {
		case i < 0:
			best = append(best, at)
		case version.CompareKubeAwareVersionStrings(at.Version, best[i].Version) > 0:
			best[i] = at
		}
	}
	return best
}

// narrowed returns those resources that the rule names, and of the others the usual ones.
func (m *maker) narrowed(r *registrationv1.RuleWithOperations, all []kinds.Resource) []kinds.Resource {
	var named, common, rest []kinds.Resource
	for _, at := range all {
		isNamed := slices.ContainsFunc(r.Resources, func(word string) bool {
			name, _, _ := strings.Cut(word, "/")
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
		return rest[:min(len(rest), few)]
	}
	return slices.Concat(named, common)
}

// usual reports whether a resource is one of those that stand for all.
func (m *maker) usual(at kinds.Resource) bool {
	switch at.GroupResource().String() {
	case "pods", "configmaps", "services", "namespaces", "deployments.apps", "roles.rbac.authorization.k8s.io":
		return true
	}
	return m.definition(at.Kind) != nil
}
