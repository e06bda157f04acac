package sample

import (
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/requests"
)

// subject is an object from which requests are made.
type subject struct {
	// at is the endpoint at which it is created.
	at     request.Endpoint
	object runtime.Object
	// actions are the requests to make, for this user.
	actions []action
	user    authenticationv1.UserInfo
}

// made returns subjects for the rules of all webhooks.
func (m *maker) made() []*subject {
	all := func(kinds.Resource) bool { return true }
	return m.subjects(m.variants(all), func(action) bool { return true })
}

// subjects makes the objects of variants, with the wanted actions that accept
// selects.
func (m *maker) subjects(variants []*variant, accept func(action) bool) []*subject {
	var all []*subject
	for _, v := range variants {
		object, err := m.object(v)
		if err != nil {
			m.skip(err)
			continue
		}
		s := &subject{at: endpoint(v.at), object: object,
			user: *requests.UserFor(requests.DefaultUser, "", nil)}
		if v.at.Namespaced {
			s.at.Namespace = v.namespace.Name
		}
		s.actions = slices.DeleteFunc(m.wanted(v.at), func(a action) bool { return !accept(a) })
		all = append(all, s)
	}
	return all
}

func endpoint(at kinds.Resource) request.Endpoint {
	return request.Endpoint{Resource: at.GroupVersionResource, Kind: at.Kind,
		Namespaced: at.Namespaced}
}

// given returns the objects that given requests create, with the wanted actions
// that no given request has.
func (m *maker) given() []*subject {
	var all []*subject
	for _, r := range m.Given {
		if r.Operation != admissionv1.Create || r.Subresource != "" || r.Object == nil || r.User == nil {
			continue
		}
		at := kinds.Resource{GroupVersionResource: r.Resource, Kind: r.Kind}
		at.Namespaced = r.Namespace != "" && !isNamespaces(r.Resource.GroupResource())
		s := &subject{at: endpoint(at), object: r.Object, user: *r.User}
		if at.Namespaced {
			s.at.Namespace = r.Namespace
		}
		s.actions = slices.DeleteFunc(m.wanted(at), func(a action) bool {
			return a == action{admissionv1.Create, ""} || m.isGiven(s, a)
		})
		all = append(all, s)
	}
	return all
}

// isGiven reports whether a given request has the action on the subject. For
// CONNECT any object of the resource will do.
func (m *maker) isGiven(s *subject, a action) bool {
	return slices.ContainsFunc(m.Given, func(r *admission.Request) bool {
		same := r.Operation == a.operation && r.Subresource == a.subresource &&
			m.Kinds.Canonical(r.Resource.GroupResource()) == m.Kinds.Canonical(s.at.Resource.GroupResource())
		here := !s.at.Namespaced || r.Namespace == s.at.Namespace
		return same && (a.operation == admissionv1.Connect || here && nameIn(r) == nameOf(s.object))
	})
}

// connected returns subjects for CONNECT, where a rule matches it and no given
// object can be connected to.
func (m *maker) connected(given []*subject) []*subject {
	connects := func(a action) bool { return a.operation == admissionv1.Connect }
	lacking := func(at kinds.Resource) bool {
		asks := slices.DeleteFunc(m.wanted(at), func(a action) bool {
			return !connects(a) || m.isGiven(&subject{at: endpoint(at)}, a)
		})
		return len(asks) > 0 &&
			!slices.ContainsFunc(
				given,
				func(s *subject) bool { return s.at.Resource == at.GroupVersionResource },
			)
	}
	subjects := m.subjects(m.variants(lacking), connects)
	for _, s := range subjects {
		s.actions = slices.DeleteFunc(s.actions, func(a action) bool { return m.isGiven(s, a) })
	}
	return subjects
}
