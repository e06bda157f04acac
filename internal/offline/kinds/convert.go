package kinds

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/offline/convert"
)

// convertor converts built-in objects by package convert, and custom objects by
// their definition.
type convertor struct{ *Registry }

// Convert converts in to the Go type of out, or to the kind of an unstructured
// out. The two share no memory. After an error out is unchanged.
//
// Compat: Scheme.Convert, which copies typed objects, leaves apiVersion and
// kind of the copy empty, as they are in the internal objects of an API server.
func (c convertor) Convert(in, out, context any) error {
	if err := c.convert(in, out, context); err != nil {
		return err
	}
	if object, ok := out.(runtime.Object); ok {
		c.roundtrip(object)
	}
	return nil
}

func (c convertor) convert(in, out, context any) error {
	source, target := c.kindOf(in), c.kindOf(out)
	from, fromUnstructured := in.(*unstructured.Unstructured)
	to, toUnstructured := out.(*unstructured.Unstructured)
	switch {
	case source == target || target.Empty():
		if fromUnstructured && toUnstructured {
			to.SetUnstructuredContent(from.DeepCopy().UnstructuredContent())
			return nil
		}
		return c.scheme.Convert(in, out, context)
	case c.custom(source) != nil || c.custom(target) != nil:
		return c.convertCustom(in, out)
	case source.Kind == target.Kind && c.scheme.Recognizes(source):
		return c.convertBuiltin(in, out, context)
	case fromUnstructured || toUnstructured:
		return cannot(source, target)
	default:
		// Compat: S-172: the text for typed objects of different kinds is the
		// scheme's.
		return c.scheme.Convert(in, out, context)
	}
}

// convertBuiltin converts between versions of a built-in kind. Unstructured
// objects pass through their Go type, as they would in JSON: fields that it
// does not have are lost.
func (c convertor) convertBuiltin(in, out, context any) error {
	source, target := c.kindOf(in), c.kindOf(out)
	if len(convert.Versions(source)) == 0 {
		return cannot(source, target)
	}
	object, err := c.typed(in.(runtime.Object))
	if err != nil {
		return fmt.Errorf("%w: %w", cannot(source, target), err)
	}
	converted, err := convert.ToVersion(object, target)
	if err != nil {
		return err
	}
	return c.scheme.Convert(converted, out, context)
}

// typed returns an object in the Go type of its kind. A typed object is
// returned itself.
func (r *Registry) typed(object runtime.Object) (runtime.Object, error) {
	u, ok := object.(*unstructured.Unstructured)
	if !ok {
		return object, nil
	}
	out, err := r.scheme.New(u.GroupVersionKind())
	if err != nil {
		return nil, err
	}
	return out, r.scheme.Convert(u, out, nil)
}

// kindOf returns the kind of an unstructured object, or that of a Go type,
// because typed objects often have none. It is empty for unknown types.
func (r *Registry) kindOf(v any) schema.GroupVersionKind {
	if u, ok := v.(*unstructured.Unstructured); ok {
		return u.GroupVersionKind()
	}
	obj, ok := v.(runtime.Object)
	if !ok {
		return schema.GroupVersionKind{}
	}
	kinds, _, err := r.scheme.ObjectKinds(obj)
	if err != nil {
		return schema.GroupVersionKind{}
	}
	return kinds[0]
}

// ConvertToVersion returns a copy of in in the version that target selects for
// its kind, or for the versions of its kind in other groups.
func (c convertor) ConvertToVersion(
	in runtime.Object, target runtime.GroupVersioner,
) (runtime.Object, error) {
	kinds, _, err := c.scheme.ObjectKinds(in)
	if err != nil {
		return nil, fmt.Errorf("converting %T: %w", in, err)
	}
	kind, ok := target.KindForGroupVersionKinds(kinds)
	if !ok {
		kind, ok = target.KindForGroupVersionKinds(convert.Versions(kinds[0]))
	}
	if !ok {
		return nil, fmt.Errorf("cannot convert %s to %s", Name(kinds[0]), target.Identifier())
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

// ConvertFieldLabel knows only the field selectors that every kind has.
func (c convertor) ConvertFieldLabel(
	kind schema.GroupVersionKind, label, value string,
) (string, string, error) {
	return c.scheme.ConvertFieldLabel(kind, label, value)
}

// cannot returns the error for two kinds. It abbreviates the second one if only
// the versions differ.
func cannot(from, to schema.GroupVersionKind) error {
	if from.GroupKind() == to.GroupKind() {
		return fmt.Errorf("cannot convert %s to %s", Name(from), to.GroupVersion())
	}
	return fmt.Errorf("cannot convert %s to %s", Name(from), Name(to))
}
