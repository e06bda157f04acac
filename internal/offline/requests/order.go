package requests

import (
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/merge"
)

// order is a request in the making: all that its author has said, and where.
type order struct {
	// from is the document that asks.
	from *manifest.Document
	// words are those in which the author knows the arguments of package request.
	words vocabulary

	operation  admissionv1.Operation
	collection bool
	at         request.Endpoint
	by         request.By

	// object and old are decoded and no more.
	object, old *Source
	// patch or config, of which there is at most one, makes the object of old.
	patch  *Patch
	config *Source
	force  bool
	// written is the new object before it is settled; nil if there is none, which it is
	// until newObject was called.
	written runtime.Object
}

// make makes the request of an order.
func (m *Maker) make(o *order) (*admission.Request, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	old, err := m.settle(o, o.old)
	if err != nil {
		return nil, err
	}
	object, err := m.newObject(o, old)
	if err != nil {
		return nil, err
	}
	r, err := o.ask(old, object)
	if err != nil {
		return nil, o.blame(err)
	}
	m.remember(r, o.written)
	return r, nil
}

// ask chooses the verb. Its error is one of package request.
func (o *order) ask(old, object runtime.Object) (*admission.Request, error) {
	switch {
	case o.operation == admissionv1.Connect:
		return request.Connect(o.at, object, o.by)
	case o.operation == admissionv1.Delete && o.collection:
		return o.askForMember(old)
	case o.operation == admissionv1.Delete:
		return request.Delete(o.at, old, o.by)
	case o.config != nil && o.operation == admissionv1.Create:
		return request.Apply(o.at, nil, object, o.by)
	case o.config != nil:
		return request.Apply(o.at, old, object, o.by)
	case o.operation == admissionv1.Create:
		return request.Create(o.at, object, o.by)
	default:
		return request.Update(o.at, old, object, o.by)
	}
}

// askForMember asks for the deletion of one member of a collection.
func (o *order) askForMember(old runtime.Object) (*admission.Request, error) {
	collection := o.at
	collection.Name = ""
	all, err := request.DeleteCollection(collection, []runtime.Object{old}, o.by)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// newObject returns the object that the request would have stored, or sends.
func (m *Maker) newObject(o *order, old runtime.Object) (runtime.Object, error) {
	switch {
	case o.patch != nil:
		object, err := m.merger.Patch(old, o.patch.JSON, o.patch.Type, merge.Options{Endpoint: o.at, Manager: o.by.FieldManager})
		if err != nil {
			return nil, o.wrong("patch", "%w", err)
		}
		return m.settled(o, object), nil
	case o.config != nil:
		config, err := o.config.Unstructured()
		if err != nil {
			return nil, err
		}
		object, err := m.merger.Apply(old, config, merge.Options{Endpoint: o.at, Manager: o.by.FieldManager, Force: o.force})
		return m.settled(o, object), o.config.Wrap("", err)
	case o.object != nil:
		o.written = o.object.Object
		return m.settle(o, o.object)
	default:
		return nil, nil
	}
}

// settled is what a server makes of an object that was merged, nil if it was not.
func (m *Maker) settled(o *order, object runtime.Object) runtime.Object {
	if object != nil {
		o.written = object.DeepCopyObject()
		m.kinds.Settle(object)
	}
	return object
}

// settle returns an object as the endpoint takes it: with its defaults and in the
// endpoint's version, whichever group it came from. A scalable object becomes its Scale
// for the subresource of that name. Nil stays nil.
func (m *Maker) settle(o *order, s *Source) (runtime.Object, error) {
	if s == nil {
		return nil, nil
	}
	object := s.Object.DeepCopyObject()
	m.kinds.Settle(object)
	kind, own := s.Kind, o.at.Kind
	for _, wanted := range o.known() {
		if m.kinds.Versions(kind, wanted) {
			var err error
			if object, err = m.convert(object, kind, wanted); err != nil {
				return nil, s.Wrap("apiVersion", err)
			}
			kind = wanted
		}
	}
	if o.at.Subresource == "scale" && kind == own {
		scale, err := m.kinds.ScaleOf(object)
		return scale, s.Wrap("kind", err)
	}
	return object, nil
}

// known returns the kinds that the endpoint has to do with: that of its objects, and
// that of the subresource's body.
func (o *order) known() []schema.GroupVersionKind {
	kinds := []schema.GroupVersionKind{o.at.Kind}
	if _, body, ok := o.at.Takes(); ok && body != o.at.Kind {
		kinds = append(kinds, body)
	}
	return kinds
}
