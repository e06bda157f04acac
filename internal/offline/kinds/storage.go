package kinds

import (
	"context"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/internal/offline/strategy"
)

// storage does what an API server does to objects besides admission, as far as
// package strategy knows their kinds.
type storage struct{ *Registry }

var _ simulate.Storage = storage{}

// Decode prunes and defaults custom objects.
func (s storage) Decode(
	ctx context.Context, r *admission.Request, object, old runtime.Object,
) error {
	return guard.Call(func() error {
		s.read(old)
		sent, d := s.asCustom(object)
		if d == nil {
			return nil
		}
		if err := d.strategy.Decode(ctx, sent, fieldValidation(r)); err != nil {
			return err
		}
		defaulter(s).Default(sent)
		return nil
	})
}

// Prepare resets what the endpoint does not store of a custom object, and
// validates custom objects, and the metadata of built-in ones.
func (s storage) Prepare(
	ctx context.Context, r *admission.Request, object, old runtime.Object,
) error {
	m, err := meta.Accessor(object)
	if err != nil || !s.stores(r) {
		return nil
	}
	if m.GetNamespace() != r.Namespace && m.GetNamespace() != "" && s.served[r.Kind].Namespaced {
		return apierrors.NewBadRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	return guard.Call(func() error {
		errs := s.prepare(ctx, r, object, old)
		if len(errs) == 0 {
			return nil
		}
		return apierrors.NewInvalid(r.Kind.GroupKind(), m.GetName(), errs)
	})
}

func (s storage) prepare(
	ctx context.Context, r *admission.Request, object, old runtime.Object,
) field.ErrorList {
	custom, d := s.asCustom(object)
	if d == nil {
		return strategy.Validate(accessor(object), accessor(old), s.served[r.Kind].Namespaced)
	}
	before, _ := old.(*unstructured.Unstructured)
	d.strategy.Prepare(custom, before, r.Subresource)
	return d.strategy.Validate(ctx, custom, before, r.Subresource)
}

// stores reports whether the object of a request is the one that is stored. The
// bodies of most subresources are not, and reviews are not stored at all.
func (s storage) stores(r *admission.Request) bool {
	if _, ok := s.served[r.Kind]; !ok {
		return false
	}
	switch r.Subresource {
	case "":
		return r.Resource.Group != authenticationv1.GroupName &&
			r.Resource.Group != authorizationv1.GroupName &&
			r.Resource.GroupResource() != corev1.Resource("bindings")
	case "status":
		return s.custom(r.Kind) != nil
	}
	return false
}

// Stored changes a custom object to what a client would read.
func (s storage) Stored(object runtime.Object) { s.read(object) }

// read changes a custom object to what a client reads.
func (r *Registry) read(object runtime.Object) {
	if custom, d := r.asCustom(object); d != nil {
		d.strategy.Read(custom, !r.defaults)
	}
}

// asCustom returns a custom object and its definition, nil for others.
func (r *Registry) asCustom(object runtime.Object) (*unstructured.Unstructured, *definition) {
	custom, ok := object.(*unstructured.Unstructured)
	if !ok || custom == nil {
		return nil, nil
	}
	return custom, r.custom(custom.GroupVersionKind())
}

// accessor returns the metadata of an object, nil if there is none.
func accessor(object runtime.Object) metav1.Object {
	m, err := meta.Accessor(object)
	if err != nil {
		return nil
	}
	return m
}

// fieldValidation returns the option of a request.
func fieldValidation(r *admission.Request) string {
	switch o := r.Options.(type) {
	case *metav1.CreateOptions:
		return o.FieldValidation
	case *metav1.UpdateOptions:
		return o.FieldValidation
	}
	return ""
}
