package matching

import (
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
)

// rule is a compiled rule: its resources are split into resource and
// subresource.
type rule struct {
	scope      registrationv1.ScopeType
	operations wildcardList
	groups     wildcardList
	versions   wildcardList
	resources  []resource
}

// resource is an entry of a rule's resources. "*" stands for every resource or
// subresource.
type resource struct{ name, subresource string }

// newResource splits an entry at the first slash: "pods/" means "pods" (S-113).
func newResource(entry string) resource {
	name, subresource, _ := strings.Cut(entry, "/")
	return resource{name: name, subresource: subresource}
}

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

// RuleQuery is the part of a request that rules read.
type RuleQuery struct {
	Operation   string
	Resource    schema.GroupVersionResource
	Subresource string
	// Namespaced reports whether the request has a namespace.
	Namespaced bool
}

var namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}

// match returns RuleMatched, or the first part of the rule that does not match
// (S-110).
func (r *rule) match(q *RuleQuery) admission.RulePart {
	for part := admission.RuleScope; part <= admission.RuleResources; part++ {
		if !r.matchPart(part, q) {
			return part
		}
	}
	return admission.RuleMatched
}

func (r *rule) matchPart(part admission.RulePart, q *RuleQuery) bool {
	switch part {
	case admission.RuleScope:
		return r.scope == registrationv1.AllScopes || r.scope == q.Scope()
	case admission.RuleOperations:
		return r.operations.has(q.Operation)
	case admission.RuleGroups:
		return r.groups.has(q.Resource.Group)
	case admission.RuleVersions:
		return r.versions.has(q.Resource.Version)
	default:
		return r.matchResource(q)
	}
}

// Misses returns all parts of a rule that do not match, in their order.
// Matching stops at the first.
func (q *RuleQuery) Misses(r *registrationv1.RuleWithOperations) []admission.RulePart {
	compiled := newRule(r)
	var missed []admission.RulePart
	for part := admission.RuleScope; part <= admission.RuleResources; part++ {
		if !compiled.matchPart(part, q) {
			missed = append(missed, part)
		}
	}
	return missed
}

// Scope returns the scope of the requested resource. The attributes of a
// request for a Namespace have its name as their namespace, although a
// Namespace is cluster-scoped.
//
// Compat: S-111: this holds for namespaces of the core group's v1 only, and for
// their subresources, too.
func (q *RuleQuery) Scope() registrationv1.ScopeType {
	if q.Namespaced && q.Resource != namespaces {
		return registrationv1.NamespacedScope
	}
	return registrationv1.ClusterScope
}

// matchResource matches resource and subresource. "*" matches every resource
// without subresources, "*/*" every resource and subresource, "pods/*" pods and
// their subresources (S-113).
func (r *rule) matchResource(q *RuleQuery) bool {
	for _, own := range r.resources {
		if name, subresource := own.match(q); name && subresource {
			return true
		}
	}
	return false
}

func (own resource) match(q *RuleQuery) (name, subresource bool) {
	return own.name == "*" || own.name == q.Resource.Resource,
		own.subresource == "*" || own.subresource == q.Subresource
}
