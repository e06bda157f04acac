package simulate

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
)

// Storage performs the steps of an API server on the objects of a request
// besides admission. Request calls it if its object interfaces implement it.
//
// The methods change the objects in place, and return errors for the client,
// such as *apierrors.StatusError. They must be safe for concurrent use if
// Request is called concurrently. They may add warnings to the context with
// package k8s.io/apiserver/pkg/warning.
type Storage interface {
	// Decode completes the object that the client sent, and the stored object,
	// before the mutating phase. object is nil for DELETE, and old for CREATE.
	// Decode is not called for CONNECT.
	Decode(ctx context.Context, r *admission.Request, object, old runtime.Object) error
	// Prepare completes and validates the object of a CREATE or UPDATE between
	// the phases. old is nil for CREATE.
	Prepare(ctx context.Context, r *admission.Request, object, old runtime.Object) error
	// Stored changes the admitted object of a CREATE or UPDATE to the object
	// that a client would read.
	Stored(object runtime.Object)
}

// decode calls Storage.Decode.
func (s *simulation) decode(ctx context.Context) error {
	storage, ok := s.objects.(Storage)
	if !ok || s.request.Operation == admissionv1.Connect {
		return nil
	}
	return storage.Decode(ctx, s.request, s.attributes.GetObject(), s.attributes.GetOldObject())
}

// validate calls Storage.Prepare.
func (s *simulation) validate(ctx context.Context) error {
	storage, ok := s.objects.(Storage)
	if !ok || !s.writes() {
		return nil
	}
	return storage.Prepare(ctx, s.request, s.attributes.GetObject(), s.attributes.GetOldObject())
}

// stored returns the object of an admitted request as a client would read it.
// It is a copy if it differs, because abandoned work may still read the
// original.
func (s *simulation) stored(object runtime.Object) runtime.Object {
	storage, ok := s.objects.(Storage)
	if !ok || !s.writes() || !s.response.Allowed {
		return object
	}
	object = object.DeepCopyObject()
	storage.Stored(object)
	return object
}

// writes reports whether the request stores an object.
func (s *simulation) writes() bool {
	return s.request.Operation == admissionv1.Create || s.request.Operation == admissionv1.Update
}
