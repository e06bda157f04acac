package requests

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/requestfile"
)

// review makes the request that an AdmissionReview is about. Everything in it has
// been through an API server, and is taken as it is. Only the objects are in the
// version that the webhook wanted, and go back to that of the request (S-213).
func (m *Maker) review(r *requestfile.Request) (*admission.Request, error) {
	if err := m.checkReview(r); err != nil {
		return nil, err
	}
	made := &admission.Request{
		Operation: r.Operation, Kind: r.Review.Kind, Resource: r.Review.Resource, Subresource: r.Subresource,
		Name: r.Name, Namespace: r.Namespace, DryRun: r.DryRun, User: r.User,
	}
	var err error
	if made.Object, err = m.restored(r.Object, made.Kind); err != nil {
		return nil, err
	}
	if made.OldObject, err = m.restored(r.OldObject, made.Kind); err != nil {
		return nil, err
	}
	if r.Review.Options != nil {
		if made.Options, err = r.Review.Options.Decode(optionsDecoder()); err != nil {
			return nil, err
		}
	}
	if err := checkObjects(r, made); err != nil {
		return nil, err
	}
	return made, nil
}

// restored returns an object of a review in the kind of the request, or nil if there
// is none. A newer server may have sent fields that are not known here: they are left
// out.
func (m *Maker) restored(d *manifest.Document, kind schema.GroupVersionKind) (runtime.Object, error) {
	if d == nil {
		return nil, nil
	}
	object, err := m.kinds.DecodeLoosely(d)
	if err != nil {
		return nil, err
	}
	object, err = m.convert(object, d.Kind, kind)
	return object, d.Wrap("", err)
}

// convert returns an object of one kind as one of another.
func (m *Maker) convert(object runtime.Object, from, to schema.GroupVersionKind) (runtime.Object, error) {
	if from == to {
		return object, nil
	}
	objects := m.kinds.ObjectInterfaces()
	converted, err := objects.GetObjectCreater().New(to)
	if err != nil {
		return nil, err
	}
	if err := objects.GetObjectConvertor().Convert(object, converted, nil); err != nil {
		return nil, err
	}
	converted.GetObjectKind().SetGroupVersionKind(to)
	return converted, nil
}

// optionsDecoder reads the options of a review, also those that only newer servers
// know: they are left out, as a webhook would.
func optionsDecoder() runtime.Decoder {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(metav1.SchemeGroupVersion, &metav1.CreateOptions{}, &metav1.UpdateOptions{}, &metav1.DeleteOptions{})
	return serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, scheme, scheme, serializer.SerializerOptions{})
}
