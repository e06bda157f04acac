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

// subject is an object that requests are made of.
type subject struct {
	// at is where it is created.
	at     request.Endpoint
	object runtime.Object
	// asks are what is to be asked of it, and user is who asks.
	asks []ask
	user authenticationv1.UserInfo
}

// made makes subjects for the rules of all webhooks.
func (m *maker) made() []*subject {
	all := func(kinds.Resource) bool { return true }
	return m.subjects(m.variants(all), func(ask) bool { return true })
}

// subjects makes the objects of variants. Of what rules ask of them, that remains which
// heed accepts.
func (m *maker) subjects(variants []*variant, heed func(ask) bool) []*subject {
	var all []*subject
	for _, v := range variants {
		object, err := m.object(v)
		if err != nil {
			m.skip(err)
			continue
		}
		s := &subject{at: endpoint(v.at), object: object, user: *requests.UserFor(requests.DefaultUser, "", nil)}
		if v.at.Namespaced {
			s.at.Namespace = v.namespace.Name
		}
		s.asks = slices.DeleteFunc(m.asked(v.at), func(a ask) bool { return !heed(a) })
		all = append(all, s)
	}
	return all
}

func endpoint(at kinds.Resource) request.Endpoint {
	return request.Endpoint{Resource: at.GroupVersionResource, Kind: at.Kind, Namespaced: at.Namespaced}
}

// given returns the objects that given requests create. Of these nothing is asked that a
// given request asks already.
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
		s.asks = slices.DeleteFunc(m.asked(at), func(a ask) bool {
			return a == ask{admissionv1.Create, ""} || m.isGiven(s, a)
		})
		all = append(all, s)
	}
	return all
}

// isGiven reports whether a given request asks something of a subject. For CONNECT it may
// be another object of its kind.
func (m *maker) isGiven(s *subject, a ask) bool {
	return slices.ContainsFunc(m.Given, func(r *admission.Request) bool {
		same := r.Operation == a.operation && r.Subresource == a.subresource &&
			m.Kinds.Canonical(r.Resource.GroupResource()) == m.Kinds.Canonical(s.at.Resource.GroupResource())
		here := !s.at.Namespaced || r.Namespace == s.at.Namespace
		return same && (a.operation == admissionv1.Connect || here && nameIn(r) == nameOf(s.object))
	})
}

// connected makes subjects for CONNECT, where rules ask for that and nothing is given that
// could be connected to.
func (m *maker) connected(given []*subject) []*subject {
	connects := func(a ask) bool { return a.operation == admissionv1.Connect }
	lacking := func(at kinds.Resource) bool {
		asks := slices.DeleteFunc(m.asked(at), func(a ask) bool {
			return !connects(a) || m.isGiven(&subject{at: endpoint(at)}, a)
		})
		return len(asks) > 0 && !slices.ContainsFunc(given, func(s *subject) bool { return s.at.Resource == at.GroupVersionResource })
	}
	subjects := m.subjects(m.variants(lacking), connects)
	for _, s := range subjects {
		s.asks = slices.DeleteFunc(s.asks, func(a ask) bool { return m.isGiven(s, a) })
	}
	return subjects
}
