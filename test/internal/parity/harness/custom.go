package harness

import (
	"fmt"
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// What a host of custom resources hands to its plugins. Their versions differ
// in nothing but the name, as with the conversion strategy None.

type customCreater struct{}

// New implements runtime.ObjectCreater.
func (customCreater) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(kind)
	return object, nil
}

type customTyper struct{}

// ObjectKinds implements runtime.ObjectTyper.
func (customTyper) ObjectKinds(o runtime.Object) ([]schema.GroupVersionKind, bool, error) {
	if _, ok := o.(*unstructured.Unstructured); !ok {
		return nil, false, fmt.Errorf("%T is no custom resource", o)
	}
	return []schema.GroupVersionKind{o.GetObjectKind().GroupVersionKind()}, false, nil
}

// Recognizes implements runtime.ObjectTyper.
func (customTyper) Recognizes(schema.GroupVersionKind) bool { return true }

type customDefaulter struct{}

// Default implements runtime.ObjectDefaulter.
func (customDefaulter) Default(runtime.Object) {}

type customConvertor struct{}

// Convert implements runtime.ObjectConvertor. The kind of out is the target; if
// it has none, out becomes a copy.
func (customConvertor) Convert(in, out, _ any) error {
	from, okFrom := in.(*unstructured.Unstructured)
	to, okTo := out.(*unstructured.Unstructured)
	if !okFrom || !okTo {
		return fmt.Errorf("cannot convert %T to %T", in, out)
	}
	target := to.GroupVersionKind()
	if !target.Empty() && target.GroupKind() != from.GroupVersionKind().GroupKind() {
		return fmt.Errorf("cannot convert %s to %s", from.GroupVersionKind(), target)
	}
	// Not a deep copy, which panics on Go values that JSON does not have.
	to.SetUnstructuredContent(maps.Clone(from.UnstructuredContent()))
	if !target.Empty() {
		to.SetGroupVersionKind(target)
	}
	return nil
}

// ConvertToVersion implements runtime.ObjectConvertor.
func (customConvertor) ConvertToVersion(
	in runtime.Object, target runtime.GroupVersioner,
) (runtime.Object, error) {
	kind, ok := target.KindForGroupVersionKinds(
		[]schema.GroupVersionKind{in.GetObjectKind().GroupVersionKind()},
	)
	if !ok {
		return nil, fmt.Errorf("cannot convert %T to %s", in, target.Identifier())
	}
	out := in.DeepCopyObject()
	out.GetObjectKind().SetGroupVersionKind(kind)
	return out, nil
}

// ConvertFieldLabel implements runtime.ObjectConvertor.
func (customConvertor) ConvertFieldLabel(
	_ schema.GroupVersionKind, label, value string,
) (string, string, error) {
	return label, value, nil
}
