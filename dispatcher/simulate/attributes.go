package simulate

import (
	"reflect"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/review"
)

// newAttributes returns the attributes of the request for a phase.
func (s *simulation) newAttributes(object runtime.Object, name string) apiadmission.Attributes {
	r := s.request
	return &simulatedAttributes{
		Attributes: apiadmission.NewAttributesRecord(object, copyOf(r.OldObject), r.Kind,
			r.Namespace, name, r.Resource, r.Subresource, apiadmission.Operation(r.Operation),
			copyOf(r.Options), r.DryRun, review.User(r.User)),
		kept: &s.annotations,
	}
}

// object returns the object after the phases. Conversion clears apiVersion and
// kind of typed objects; object sets them if the request's object has them.
func (s *simulation) object() runtime.Object {
	object := s.attributes.GetObject()
	if object == nil {
		return nil
	}
	if sent := s.request.Object.GetObjectKind().GroupVersionKind(); !sent.Empty() &&
		object.GetObjectKind().GroupVersionKind().Empty() {
		object.GetObjectKind().SetGroupVersionKind(sent)
	}
	return object
}

// annotations are the annotations of both phases, in order.
type annotations struct{ added []admission.AuditAnnotation }

// simulatedAttributes are attributes that keep their annotations.
type simulatedAttributes struct {
	apiadmission.Attributes
	kept *annotations
}

func (a *simulatedAttributes) AddAnnotation(key, value string) error {
	return a.AddAnnotationWithLevel(key, value, auditinternal.LevelMetadata)
}

// AddAnnotationWithLevel keeps an annotation that upstream's attributes accept.
// Of two annotations with the same key it keeps the first, because both phases
// write to the same audit event (S-317).
func (a *simulatedAttributes) AddAnnotationWithLevel(
	key, value string, level auditinternal.Level,
) error {
	if err := a.Attributes.AddAnnotationWithLevel(key, value, level); err != nil {
		return err
	}
	taken := slices.ContainsFunc(a.kept.added,
		func(k admission.AuditAnnotation) bool { return k.Key == key })
	if !taken {
		a.kept.added = append(a.kept.added,
			admission.AuditAnnotation{Key: key, Value: value, Level: admission.AuditLevel(level)})
	}
	return nil
}

// name returns the object's name for the validating phase: that of the mutating
// phase, or the name that a new object has got since then (S-215).
func (s *simulation) name() string {
	name := s.attributes.GetName()
	if name != "" || s.request.Operation != admissionv1.Create {
		return name
	}
	if m := metadata(s.attributes.GetObject()); m != nil {
		return m.GetName()
	}
	return ""
}

// metadata returns an object's metadata, or nil if it has none.
func metadata(object runtime.Object) metav1.Object {
	if isNil(object) {
		return nil
	}
	m, err := meta.Accessor(object)
	if err != nil {
		return nil
	}
	return m
}

func copyOf(object runtime.Object) runtime.Object {
	if isNil(object) {
		return nil
	}
	return object.DeepCopyObject()
}

// isNil reports whether there is no object, also behind a typed nil pointer.
func isNil(object runtime.Object) bool {
	if object == nil {
		return true
	}
	v := reflect.ValueOf(object)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
