package kinds

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// convertor converts what can be converted without knowing more than names.
type convertor struct{ *Registry }

// Convert writes in into out, without sharing memory between the two. What out
// is says what in is converted to: its Go type, or the kind that an
// unstructured object has. On error out is as it was.
//
// Compat: Scheme.Convert, which copies typed objects, leaves apiVersion and
// kind of the copy empty, as they are in the internal objects of an API server.
func (c convertor) Convert(in, out, context any) error {
	from, fromCustom := in.(*unstructured.Unstructured)
	to, toCustom := out.(*unstructured.Unstructured)
	if fromCustom && toCustom {
		return c.convertCustom(from, to)
	}
	source, target := c.kindOf(in), c.kindOf(out)
	mixed := fromCustom || toCustom
	// Compat: S-172: the text for typed objects of different kinds is the
	// scheme's. So is the copying between objects of one kind.
	if source == target || target.Empty() || !mixed && source.Kind != target.Kind {
		return c.scheme.Convert(in, out, context)
	}
	return cannot(source, target)
}

// convertCustom converts between versions of a custom kind. An object without
// any content takes what it is given, as with Scheme.Convert.
func (c convertor) convertCustom(from, to *unstructured.Unstructured) error {
	source, target := from.GroupVersionKind(), to.GroupVersionKind()
	if target.Empty() || target == source {
		to.SetUnstructuredContent(from.DeepCopy().UnstructuredContent())
		return nil
	}
	d := c.custom(source)
	if d == nil || d != c.custom(target) {
		return cannot(source, target)
	}
	if d.unconvertible {
		return fmt.Errorf("%w: the CustomResourceDefinition %s leaves that to a conversion webhook, which is not called",
			cannot(source, target), d.name)
	}
	converted := from.DeepCopy()
	converted.SetAPIVersion(target.GroupVersion().String())
	to.SetUnstructuredContent(converted.UnstructuredContent())
	return nil
}

// kindOf returns an object's kind: what it says if it is unstructured, and
// otherwise that of its type, because typed objects often do not say. It is
// empty for what is no object that is known.
func (c convertor) kindOf(v any) schema.GroupVersionKind {
	if u, ok := v.(*unstructured.Unstructured); ok {
		return u.GroupVersionKind()
	}
	obj, ok := v.(runtime.Object)
	if !ok {
		return schema.GroupVersionKind{}
	}
	kinds, _, err := c.scheme.ObjectKinds(obj)
	if err != nil {
		return schema.GroupVersionKind{}
	}
	return kinds[0]
}

// ConvertToVersion returns a copy of in as what target makes of its kind.
func (c convertor) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	kinds, _, err := c.scheme.ObjectKinds(in)
	if err != nil {
		return nil, fmt.Errorf("converting %T: %w", in, err)
	}
	kind, ok := target.KindForGroupVersionKinds(kinds)
	if !ok {
		return nil, fmt.Errorf("cannot convert %s to %s", name(kinds[0]), target.Identifier())
	}
	out, err := creater(c).New(kind)
	if err != nil {
		return nil, err
	}
	if err := c.Convert(in.DeepCopyObject(), out, nil); err != nil {
		return nil, err
	}
	out.GetObjectKind().SetGroupVersionKind(kind)
	return out, nil
}

// ConvertFieldLabel knows the field selectors that every kind has.
func (c convertor) ConvertFieldLabel(kind schema.GroupVersionKind, label, value string) (string, string, error) {
	return c.scheme.ConvertFieldLabel(kind, label, value)
}

// cannot names both kinds, but the second one in short if only the versions
// differ.
func cannot(from, to schema.GroupVersionKind) error {
	if from.GroupKind() == to.GroupKind() {
		return fmt.Errorf("cannot convert %s to %s", name(from), to.GroupVersion())
	}
	return fmt.Errorf("cannot convert %s to %s", name(from), name(to))
}
