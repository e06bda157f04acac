package matching

import (
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
)

// rule is a compiled rule: its resources are split into resource and subresource.
type rule struct {
	scope      registrationv1.ScopeType
	operations wildcardList
	groups     wildcardList
	versions   wildcardList
	resources  []resource
}

type resource struct{ name, subresource string }

// wildcardList is a list of names in which "*" matches every name.
type wildcardList []string

func (l wildcardList) has(name string) bool {
	for _, element := range l {
		if element == "*" || element == name {
			return true
		}
	}
	return false
}

// ruleQuery is the part of a request that rules look at.
type ruleQuery struct {
	operation   string
	resource    schema.GroupVersionResource
	subresource string
	namespaced  bool
}

var namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}

// match returns RuleMatched, or the first part of the rule that does not match
// (S-110).
func (r *rule) match(q *ruleQuery) admission.RulePart {
	switch {
	case !r.matchScope(q):
		return admission.RuleScope
	case !r.operations.has(q.operation):
		return admission.RuleOperations
	case !r.groups.has(q.resource.Group):
		return admission.RuleGroups
	case !r.versions.has(q.resource.Version):
		return admission.RuleVersions
	case !r.matchResource(q):
		return admission.RuleResources
	default:
		return admission.RuleMatched
	}
}

func (r *rule) matchScope(q *ruleQuery) bool {
	return r.scope == registrationv1.AllScopes || r.scope == q.scope()
}

// scope returns the scope of the requested resource. The attributes of a request for a
// Namespace have its name as their namespace, although a Namespace is cluster-scoped.
//
// Compat: S-111: this holds for namespaces of the core group's v1 only, and for their
// subresources, too.
func (q *ruleQuery) scope() registrationv1.ScopeType {
	if q.namespaced && q.resource != namespaces {
		return registrationv1.NamespacedScope
	}
	return registrationv1.ClusterScope
}

// matchResource matches resource and subresource. "*" matches every resource without
// subresources, "*/*" every resource and subresource, "pods/*" pods and their
// subresources (S-113).
func (r *rule) matchResource(q *ruleQuery) bool {
	for _, own := range r.resources {
		if (own.name == "*" || own.name == q.resource.Resource) &&
			(own.subresource == "*" || own.subresource == q.subresource) {
			return true
		}
	}
	return false
}
