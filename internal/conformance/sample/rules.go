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

// ask is something that can be asked of an object.
type ask struct {
	operation   admissionv1.Operation
	subresource string
}

// learn adds a resource to those that are known.
func (m *maker) learn(at kinds.Resource) {
	m.resources = append(m.resources, at)
	m.possibles[at.GroupVersionResource] = m.allowed(at)
	name := at.GroupResource()
	first := m.Kinds.Canonical(name)
	if !slices.Contains(m.families[first], name) {
		m.families[first] = append(m.families[first], name)
	}
}

// possible returns what can be asked of the objects of a resource; it is only to be read.
// Given requests may be for resources that are not known.
func (m *maker) possible(at kinds.Resource) []ask {
	if asks, known := m.possibles[at.GroupVersionResource]; known {
		return asks
	}
	return m.allowed(at)
}

// allowed finds out what can be asked of the objects of a resource.
func (m *maker) allowed(at kinds.Resource) []ask {
	asks := []ask{{admissionv1.Create, ""}, {admissionv1.Update, ""}, {admissionv1.Delete, ""}}
	switch group := at.GroupResource(); {
	case group == schema.GroupResource{Resource: "componentstatuses"}:
		return nil // they can only be read
	case at.Group == "authentication.k8s.io", at.Group == "authorization.k8s.io", group == schema.GroupResource{Resource: "bindings"}:
		return asks[:1] // they are answered or carried out, but not stored
	}
	for _, name := range []string{
		"status", "scale", "eviction", "exec", "attach", "portforward", "proxy",
		"binding", "ephemeralcontainers", "resize", "token", "approval", "finalize",
	} {
		endpoint := request.Endpoint{Resource: at.GroupVersionResource, Kind: at.Kind, Subresource: name}
		operation, _, ok := endpoint.Takes()
		if ok && m.Kinds.CheckSubresource(at.GroupVersionResource, name) == nil {
			asks = append(asks, ask{operation, name})
		}
	}
	return asks
}

// asked returns what the rules of some webhook ask of the objects of a resource, under
// this name or another of the same objects.
func (m *maker) asked(at kinds.Resource) []ask {
	names := m.family(at.GroupResource())
	return slices.DeleteFunc(slices.Clone(m.possible(at)), func(a ask) bool {
		return !slices.ContainsFunc(m.webhooks, func(w *webhook) bool { return w.asks(names, a) })
	})
}

// family returns all resources that hold the same objects; it is only to be read.
func (m *maker) family(resource schema.GroupResource) []schema.GroupResource {
	all := m.families[m.Kinds.Canonical(resource)]
	if slices.Contains(all, resource) {
		return all
	}
	return append(slices.Clip(all), resource) // which is not known
}

// asks reports whether a webhook asks for something of one of the resources, whatever its
// version.
func (w *webhook) asks(names []schema.GroupResource, a ask) bool {
	return slices.ContainsFunc(w.Rules, func(r registrationv1.RuleWithOperations) bool { return about(&r, names, a) })
}

// about reports whether a rule asks for something of one of the resources, whatever its
// version.
func about(r *registrationv1.RuleWithOperations, names []schema.GroupResource, a ask) bool {
	if !slices.Contains(r.Operations, registrationv1.OperationType(a.operation)) && !slices.Contains(r.Operations, registrationv1.OperationAll) {
		return false
	}
	return slices.ContainsFunc(names, func(name schema.GroupResource) bool {
		return matches(r.APIGroups, name.Group) && slices.ContainsFunc(r.Resources, func(word string) bool {
			resource, subresource, _ := strings.Cut(word, "/")
			return (resource == "*" || resource == name.Resource) && covers(subresource, a.subresource)
		})
	})
}

// covers reports whether what a rule says of subresources asks for one. Of those that it
// leaves open only the usual ones count.
func covers(word, subresource string) bool {
	return word == subresource || word == "*" && slices.Contains([]string{"", "status", "scale", "eviction", "exec"}, subresource)
}

// matches reports whether a list has a word, or leaves it open.
func matches(list []string, word string) bool {
	return slices.Contains(list, "*") || slices.Contains(list, word)
}
