package strategy

import (
	"cmp"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Validate validates the metadata of an object of any kind as the registry
// does. old is that of the stored object, nil for a new object. What a server
// sets, such as resourceVersion, may be missing, and managedFields are not
// validated, because a server computes them.
func Validate(object, old metav1.Object, namespaced bool) field.ErrorList {
	now, before := metadata(object, old)
	errs := validation.ValidateObjectMetaAccessor(now, namespaced, pathSegment, metadataPath())
	if before != nil {
		errs = append(errs, validation.ValidateObjectMetaAccessorUpdate(now, before, metadataPath())...)
	}
	return errs
}

func metadataPath() *field.Path { return field.NewPath("metadata") }

// pathSegment is the rule for names of all kinds.
func pathSegment(name string, prefix bool) []string {
	if prefix {
		return content.IsPathSegmentPrefix(name)
	}
	return content.IsPathSegmentName(name)
}

// metadata returns copies of the metadata of a new object and of the stored
// one, with what a server would set before it validates them. before is nil if
// old is.
func metadata(object, old metav1.Object) (now, before *metav1.ObjectMeta) {
	now = copyOf(object)
	if old == nil {
		return now, nil
	}
	before = copyOf(old)
	before.ResourceVersion = cmp.Or(before.ResourceVersion, "1")
	now.UID, now.ResourceVersion, now.Generation =
		before.UID, before.ResourceVersion, before.Generation
	now.CreationTimestamp, now.DeletionTimestamp = before.CreationTimestamp, before.DeletionTimestamp
	now.DeletionGracePeriodSeconds = before.DeletionGracePeriodSeconds
	return now, before
}

// copyOf returns the metadata without managedFields.
func copyOf(m metav1.Object) *metav1.ObjectMeta {
	return &metav1.ObjectMeta{
		Name: m.GetName(), GenerateName: m.GetGenerateName(), Namespace: m.GetNamespace(),
		UID: m.GetUID(), ResourceVersion: m.GetResourceVersion(), Generation: m.GetGeneration(),
		CreationTimestamp: m.GetCreationTimestamp(), DeletionTimestamp: m.GetDeletionTimestamp(),
		DeletionGracePeriodSeconds: m.GetDeletionGracePeriodSeconds(),
		Labels:                     m.GetLabels(), Annotations: m.GetAnnotations(),
		OwnerReferences: m.GetOwnerReferences(), Finalizers: m.GetFinalizers(),
	}
}
