package sample

import (
	"fmt"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/request"
)

// nameless makes a CREATE of a pod with a generateName for every webhook that
// matches pods, from the available pods, unless one is given.
func (m *maker) nameless(subjects []*subject) []*admission.Request {
	all := slices.DeleteFunc(slices.Clone(m.Given),
		func(r *admission.Request) bool { return !isNameless(r) })
	given := len(all)
	for _, s := range subjects {
		if !s.isNamedPod() {
			continue
		}
		r, err := s.withoutName()
		if err != nil {
			m.skip(fmt.Errorf("making a sample of CREATE %s without a name: %w", path(s, action{}), err))
			continue
		}
		if m.addsTo(all, r) {
			all = append(all, r)
		}
	}
	return all[given:]
}

func isNameless(r *admission.Request) bool {
	return r.Operation == admissionv1.Create && r.Subresource == "" &&
		isPods(r.Resource.GroupResource()) && !hasName(r.Object)
}

func isPods(resource schema.GroupResource) bool {
	return resource == schema.GroupResource{Resource: "pods"}
}

func hasName(object runtime.Object) bool {
	m, err := meta.Accessor(object)
	return err == nil && m.GetName() != ""
}

func (s *subject) isNamedPod() bool {
	return isPods(s.at.Resource.GroupResource()) && hasName(s.object)
}

// withoutName returns the CREATE of a subject with a generateName.
func (s *subject) withoutName() (*admission.Request, error) {
	object := s.object.DeepCopyObject()
	m, err := meta.Accessor(object)
	if err != nil {
		return nil, err
	}
	m.SetGenerateName(m.GetName() + "-")
	m.SetName("")
	return request.Create(s.at, object, request.By{User: s.user})
}

// addsTo reports whether a request visits a webhook that no other request
// visits.
func (m *maker) addsTo(all []*admission.Request, r *admission.Request) bool {
	return slices.ContainsFunc(m.webhooks, func(w *webhook) bool {
		return m.visits(w, r) &&
			!slices.ContainsFunc(all, func(other *admission.Request) bool { return m.visits(w, other) })
	})
}
