package requests

import (
	"cmp"
	"fmt"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/api/meta"

	"example.com/gatehouse/admission/request"
)

// manifest makes a draft of an object in a manifest. It is nil if the object is
// the stored object of a later one.
func (m *Maker) manifest(s Source) (*draft, error) {
	at, err := m.endpoint(s)
	if err != nil {
		return nil, err
	}
	o := &draft{
		from: s.Document, names: flagNames,
		operation: m.operation(at), collection: m.settings.Collection, at: at, by: m.settings.By,
	}
	switch {
	case m.settings.Apply:
		o.config, o.force, o.old = &s, m.settings.Force, m.pairs.find(m.subject(at))
		o.operation = admissionv1.Create
		if o.old != nil || at.Subresource != "" {
			o.operation = admissionv1.Update
		}
	case m.settings.Patch != nil:
		o.operation, o.old, o.patch = admissionv1.Update, &s, m.settings.Patch
	case o.operation == admissionv1.Delete:
		o.old = &s
	case o.operation == admissionv1.Update:
		return m.update(o, s)
	default:
		o.object = &s
	}
	return o, nil
}

// update completes the draft of an UPDATE with its stored object: one of the
// stored objects or, if there are none, an earlier document.
func (m *Maker) update(o *draft, s Source) (*draft, error) {
	of := m.subject(o.at)
	o.object = &s
	if err := o.check(); err != nil {
		return nil, err
	}
	if len(m.pairs.order) > 0 {
		o.old = m.pairs.find(of)
		if o.old == nil {
			return nil, s.Wrap("metadata.name", fmt.Errorf("an UPDATE needs the stored object, but --old does not have %s", of))
		}
		return o, nil
	}
	o.old = m.pairs.replace(of, s)
	if o.old == nil {
		return nil, nil
	}
	return o, nil
}

// Store keeps a stored object for the document that updates it. It is called
// before One.
func (m *Maker) Store(s Source) error {
	at, err := m.endpoint(s)
	if err != nil {
		return err
	}
	return m.pairs.store(m.subject(at), s)
}

// subject returns the identity of an endpoint's object.
func (m *Maker) subject(at request.Endpoint) subject {
	resource := at.Resource.GroupResource()
	return subject{key{m.kinds.Canonical(resource), at.Namespace, at.Name}, resource}
}

// operation returns the operation of the settings or its default.
func (m *Maker) operation(at request.Endpoint) admissionv1.Operation {
	if m.settings.Operation != "" {
		return m.settings.Operation
	}
	if taken, _, ok := at.Takes(); ok {
		return taken
	}
	if len(m.pairs.order) > 0 || m.settings.Patch != nil {
		return admissionv1.Update
	}
	return admissionv1.Create
}

// endpoint returns the endpoint for an object in a manifest, with its name and
// namespace.
func (m *Maker) endpoint(s Source) (request.Endpoint, error) {
	at, err := m.path(s)
	if err != nil {
		return at, s.Wrap("kind", err)
	}
	if err := m.kinds.CheckSubresource(at.Resource, at.Subresource); err != nil {
		return at, s.Wrap("kind", fmt.Errorf("--subresource: %w", err))
	}
	at.Name = m.settings.Name
	if object, err := meta.Accessor(s.Object); err == nil {
		at.Name = cmp.Or(at.Name, object.GetName())
		if at.Namespaced {
			at.Namespace = object.GetNamespace()
		}
	}
	if at.Namespaced && at.Namespace == "" {
		at.Namespace = m.settings.Namespace
	}
	return at, nil
}

// path returns the resource and the subresource of the settings, or those of
// the object's kind.
func (m *Maker) path(s Source) (request.Endpoint, error) {
	resource, subresource, full := strings.Cut(m.settings.Subresource, "/")
	if !full {
		resource, subresource = "", resource
	}
	return m.pathOf(s.Kind, resource, subresource)
}
