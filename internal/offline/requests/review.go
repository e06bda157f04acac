package requests

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/requestfile"
)

// review makes the request of an AdmissionReview. An API server has processed
// it, so that only its objects are converted, from the webhook's version to
// that of the request (S-213).
func (m *Maker) review(r *requestfile.Request) (*admission.Request, error) {
	if err := m.checkReview(r); err != nil {
		return nil, err
	}
	made := &admission.Request{
		Operation:   r.Operation,
		Kind:        r.Review.Kind,
		Resource:    r.Review.Resource,
		Subresource: r.Subresource,
		Name:        r.Name,
		Namespace:   r.Namespace,
		DryRun:      r.DryRun,
		User:        r.User,
	}
	var err error
	if made.Object, err = m.restored(r.Object, made.Kind); err != nil {
		return nil, err
	}
	if made.OldObject, err = m.restored(r.OldObject, made.Kind); err != nil {
		return nil, err
	}
	if r.Review.Options != nil {
		if made.Options, err = decodeOptions(r.Review.Options); err != nil {
			return nil, err
		}
	}
	if err := checkObjects(r, made); err != nil {
		return nil, err
	}
	return made, nil
}

// restored returns an object of a review in the kind of the request, nil if
// there is none. It drops unknown fields, which a newer server may have sent.
func (m *Maker) restored(
	d *manifest.Document, kind schema.GroupVersionKind,
) (runtime.Object, error) {
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
func (m *Maker) convert(
	object runtime.Object, from, to schema.GroupVersionKind,
) (runtime.Object, error) {
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

// decodeOptions decodes the options of a review. It drops unknown fields, which
// a newer server may have sent.
func decodeOptions(d *manifest.Document) (runtime.Object, error) {
	var options runtime.Object = &metav1.DeleteOptions{}
	switch d.Kind.Kind {
	case "CreateOptions":
		options = &metav1.CreateOptions{}
	case "UpdateOptions":
		options = &metav1.UpdateOptions{}
	}
	return options, d.DecodeInto(options, false)
}
