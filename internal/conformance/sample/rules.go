package sample

import (
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/offline/kinds"
)

// action is an operation on an object or a subresource.
type action struct {
	operation   admissionv1.Operation
	subresource string
}

// addResource adds a resource.
func (m *maker) addResource(at kinds.Resource) {
	m.resources = append(m.resources, at)
	m.actions[at.GroupVersionResource] = m.findActions(at)
	name := at.GroupResource()
	first := m.Kinds.Canonical(name)
	if !slices.Contains(m.families[first], name) {
		m.families[first] = append(m.families[first], name)
	}
}

// possibleActions returns the actions on a resource, read-only. The resource of
// a given request may be unknown.
func (m *maker) possibleActions(at kinds.Resource) []action {
	if asks, known := m.actions[at.GroupVersionResource]; known {
		return asks
	}
	return m.findActions(at)
}

// findActions determines the actions on a resource.
func (m *maker) findActions(at kinds.Resource) []action {
	asks := []action{{admissionv1.Create, ""}, {admissionv1.Update, ""}, {admissionv1.Delete, ""}}
	switch group := at.GroupResource(); {
	case group == schema.GroupResource{Resource: "componentstatuses"}:
		return nil // read-only
	case at.Group == "authentication.k8s.io", at.Group == "authorization.k8s.io", group == schema.GroupResource{Resource: "bindings"}:
		return asks[:1] // not stored
	}
	for _, name := range []string{
		"status", "scale", "eviction", "exec", "attach", "portforward", "proxy",
		"binding", "ephemeralcontainers", "resize", "token", "approval", "finalize",
	} {
		endpoint := request.Endpoint{Resource: at.GroupVersionResource, Kind: at.Kind, Subresource: name}
		operation, _, ok := endpoint.Takes()
		if ok && m.Kinds.CheckSubresource(at.GroupVersionResource, name) == nil {
			asks = append(asks, action{operation, name})
		}
	}
	return asks
}

// wanted returns the actions on a resource that the rules of some webhook
// match, under any name of the resource.
func (m *maker) wanted(at kinds.Resource) []action {
	names := m.family(at.GroupResource())
	return slices.DeleteFunc(slices.Clone(m.possibleActions(at)), func(a action) bool {
		return !slices.ContainsFunc(m.webhooks, func(w *webhook) bool { return w.wants(names, a) })
	})
}

// family returns all resources that store the same objects, read-only.
func (m *maker) family(resource schema.GroupResource) []schema.GroupResource {
	all := m.families[m.Kinds.Canonical(resource)]
	if slices.Contains(all, resource) {
		return all
	}
	return append(slices.Clip(all), resource) // unknown resource
}

// wants reports whether a rule of the webhook matches an action on one of the
// resources, in any version.
func (w *webhook) wants(names []schema.GroupResource, a action) bool {
	return slices.ContainsFunc(w.Rules,
		func(r registrationv1.RuleWithOperations) bool { return ruleWants(&r, names, a) })
}

// ruleWants reports whether a rule matches an action on one of the resources,
// in any version.
func ruleWants(r *registrationv1.RuleWithOperations, names []schema.GroupResource, a action) bool {
	if !slices.Contains(r.Operations, registrationv1.OperationType(a.operation)) &&
		!slices.Contains(r.Operations, registrationv1.OperationAll) {
		return false
	}
	return slices.ContainsFunc(names, func(name schema.GroupResource) bool {
		return matches(r.APIGroups, name.Group) &&
			slices.ContainsFunc(r.Resources, func(pattern string) bool {
				resource, subresource, _ := strings.Cut(pattern, "/")
				return (resource == "*" || resource == name.Resource) && covers(subresource, a.subresource)
			})
	})
}

// covers reports whether the subresource of a rule matches one. A wildcard
// matches only the usual subresources.
func covers(word, subresource string) bool {
	return word == subresource || word == "*" &&
		slices.Contains([]string{"", "status", "scale", "eviction", "exec"}, subresource)
}

// matches reports whether a list of a rule has the value or "*".
func matches(list []string, word string) bool {
	return slices.Contains(list, "*") || slices.Contains(list, word)
}
