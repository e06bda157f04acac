package sample

import (
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/request"
)

// expand makes the requests of a subject.
func (m *maker) expand(s *subject) []*admission.Request {
	var all []*admission.Request
	for _, a := range s.actions {
		r, err := m.request(s, a)
		if err != nil {
			m.skip(fmt.Errorf("making a sample of %s %s: %w", a.operation, path(s, a), err))
			continue
		}
		all = append(all, r)
	}
	return all
}

func path(s *subject, a action) string {
	text := s.at.Resource.GroupResource().String()
	if a.subresource != "" {
		text += "/" + a.subresource
	}
	return text
}

// request makes the request for one action.
func (m *maker) request(s *subject, a action) (*admission.Request, error) {
	at, by := s.at, request.By{User: s.user}
	at.Subresource = a.subresource
	if a == (action{admissionv1.Create, ""}) {
		return request.Create(at, s.object, by)
	}
	stored, err := s.stored()
	if err != nil {
		return nil, err
	}
	at.Name = nameOf(stored)
	switch a.operation {
	case admissionv1.Delete:
		return request.Delete(at, stored, by)
	case admissionv1.Update:
		return m.update(at, stored, by)
	case admissionv1.Connect:
		return request.Connect(at, m.normalized(options(a.subresource, stored)), by)
	default:
		return request.Create(at, m.normalized(body(a.subresource, at)), by)
	}
}

// update makes an UPDATE of an object or a subresource.
func (m *maker) update(
	at request.Endpoint, stored runtime.Object, by request.By,
) (*admission.Request, error) {
	old, object := stored, stored
	var err error
	switch at.Subresource {
	case "scale":
		if old, object, err = m.scaled(stored); err != nil {
			return nil, err
		}
		return request.Update(at, old, object, by)
	case "status":
		if object, err = m.withStatus(stored); err != nil {
			return nil, err
		}
	}
	if object, err = changed(object); err != nil {
		return nil, err
	}
	return request.Update(at, old, object, by)
}

func (m *maker) normalized(object runtime.Object) runtime.Object {
	m.Kinds.Normalize(object)
	return object
}
