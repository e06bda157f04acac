package requests

import (
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/merge"
)

// draft is an incomplete request: the arguments that its author gave, with
// their origin.
type draft struct {
	// from is the document of the request.
	from *manifest.Document
	// names are the author's names for the arguments of package request.
	names argumentNames

	operation  admissionv1.Operation
	collection bool
	at         request.Endpoint
	by         request.By

	// object and old are decoded, without defaults.
	object, old *Source
	// patch or config, of which there is at most one, makes the object of old.
	patch  *Patch
	config *Source
	force  bool
	// written is the new object without defaults, which newObject sets; nil if
	// there is none.
	written runtime.Object
}

// make makes the request of a draft.
func (m *Maker) make(o *draft) (*Made, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	old, err := m.normalize(o, o.old, m.kinds.NormalizeStored)
	if err != nil {
		return nil, err
	}
	object, err := m.newObject(o, old)
	if err != nil {
		return nil, err
	}
	r, err := o.request(old, object)
	if err != nil {
		return nil, o.blame(err)
	}
	return &Made{r, written(r, o.written)}, nil
}

// request calls the function of package request for the verb.
func (o *draft) request(old, object runtime.Object) (*admission.Request, error) {
	switch {
	case o.operation == admissionv1.Connect:
		return request.Connect(o.at, object, o.by)
	case o.operation == admissionv1.Delete && o.collection:
		return o.deleteMember(old)
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

// deleteMember returns the request for one member of a deleted collection.
func (o *draft) deleteMember(old runtime.Object) (*admission.Request, error) {
	collection := o.at
	collection.Name = ""
	all, err := request.DeleteCollection(collection, []runtime.Object{old}, o.by)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// newObject returns the new object of the request, or its body.
func (m *Maker) newObject(o *draft, old runtime.Object) (runtime.Object, error) {
	switch {
	case o.patch != nil:
		object, err := m.merger.Patch(
			old,
			o.patch.JSON,
			o.patch.Type,
			merge.Options{Endpoint: o.at, Manager: o.by.FieldManager},
		)
		if err != nil {
			return nil, o.wrong("patch", "%w", err)
		}
		return m.normalizeMerged(o, object), nil
	case o.config != nil:
		config, err := o.config.Unstructured()
		if err != nil {
			return nil, err
		}
		object, err := m.merger.Apply(
			old,
			config,
			merge.Options{Endpoint: o.at, Manager: o.by.FieldManager, Force: o.force},
		)
		return m.normalizeMerged(o, object), o.config.Wrap("", err)
	case o.object != nil:
		o.written = o.object.Object
		return m.normalize(o, o.object, m.kinds.Normalize)
	default:
		return nil, nil
	}
}

// normalizeMerged normalizes the result of a merge in place; nil stays nil.
func (m *Maker) normalizeMerged(o *draft, object runtime.Object) runtime.Object {
	if object != nil {
		o.written = object.DeepCopyObject()
		m.kinds.Normalize(object)
	}
	return object
}

// normalize returns an object with its defaults, which complete sets, and in
// the endpoint's version. A scalable object becomes its Scale for the
// subresource scale. Nil stays nil.
func (m *Maker) normalize(
	o *draft, s *Source, complete func(runtime.Object),
) (runtime.Object, error) {
	if s == nil {
		return nil, nil
	}
	object := s.Object.DeepCopyObject()
	complete(object)
	kind, own := s.Kind, o.at.Kind
	for _, wanted := range o.known() {
		if m.kinds.Versions(kind, wanted) {
			var err error
			object, err = apiadmission.ConvertToGVK(object, wanted, m.kinds.ObjectInterfaces())
			if err != nil {
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

// known returns the kind of the endpoint's objects, and that of the
// subresource's body if it differs.
func (o *draft) known() []schema.GroupVersionKind {
	kinds := []schema.GroupVersionKind{o.at.Kind}
	if _, body, ok := o.at.Takes(); ok && body != o.at.Kind {
		kinds = append(kinds, body)
	}
	return kinds
}
