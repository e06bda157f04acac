package matching

import (
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
)

// rule is a rule with its resources split.
type rule struct {
	scope      registrationv1.ScopeType
	operations words
	groups     words
	versions   words
	resources  []resource
}

type resource struct{ name, subresource string }

// words is a list in which "*" stands for everything.
type words []string

func (w words) match(word string) bool {
	for _, one := range w {
		if one == "*" || one == word {
			return true
		}
	}
	return false
}

// ask is what a request asks of a rule.
type ask struct {
	operation   string
	resource    schema.GroupVersionResource
	subresource string
	namespaced  bool
}

var namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}

// match returns RuleMatched, or the first part of the rule that does not match
// (S-110).
func (r *rule) match(a *ask) admission.RulePart {
	switch {
	case !r.matchScope(a):
		return admission.RuleScope
	case !r.operations.match(a.operation):
		return admission.RuleOperations
	case !r.groups.match(a.resource.Group):
		return admission.RuleGroups
	case !r.versions.match(a.resource.Version):
		return admission.RuleVersions
	case !r.matchResource(a):
		return admission.RuleResources
	default:
		return admission.RuleMatched
	}
}

func (r *rule) matchScope(a *ask) bool {
	return r.scope == registrationv1.AllScopes || r.scope == a.scope()
}

// scope returns the scope of what is asked for. A request for a namespace object
// carries that namespace's name as its namespace, but the object is
// cluster-scoped.
//
// Compat: S-111: only namespaces of the core group's v1 are told apart, and
// their subresources count as cluster-scoped too.
func (a *ask) scope() registrationv1.ScopeType {
	if a.namespaced && a.resource != namespaces {
		return registrationv1.NamespacedScope
	}
	return registrationv1.ClusterScope
}

// matchResource compares resource and subresource. "*" is every resource
// without its subresources, "*/*" is everything, "pods/*" is pods and all below
// it (S-113).
func (r *rule) matchResource(a *ask) bool {
	for _, one := range r.resources {
		if (one.name == "*" || one.name == a.resource.Resource) &&
			(one.subresource == "*" || one.subresource == a.subresource) {
			return true
		}
	}
	return false
}
