package convert

import (
	"fmt"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Converter converts the kinds of its table. New makes one.
type Converter struct {
	byType     map[reflect.Type]place
	byKind     map[schema.GroupVersionKind]place
	byResource map[schema.GroupVersionResource]*family
	kinds      []schema.GroupVersionKind
}

// place is where in the table a version is.
type place struct {
	family  *family
	version *version
}

// New returns a converter for all kinds that this package knows.
func New() *Converter {
	c := &Converter{
		byType:     map[reflect.Type]place{},
		byKind:     map[schema.GroupVersionKind]place{},
		byResource: map[schema.GroupVersionResource]*family{},
	}
	for _, f := range table() {
		for i := range f.versions {
			v := &f.versions[i]
			c.byType[reflect.TypeOf(v.prototype)] = place{&f, v}
			kind := v.gv.WithKind(f.kind)
			c.byKind[kind] = place{&f, v}
			c.kinds = append(c.kinds, kind)
			if f.resource != "" {
				c.byResource[v.gv.WithResource(f.resource)] = &f
			}
		}
	}
	return c
}

// Convert returns the object as the kind to, with apiVersion and kind set. The
// object itself is not changed, and the result, which belongs to the caller,
// shares no memory with it. What the object is, is told from its Go type.
//
// The error names both versions. It is returned if the two are not versions of
// one kind of the table, or if a value cannot be expressed.
func (c *Converter) Convert(object runtime.Object, to schema.GroupVersionKind) (runtime.Object, error) {
	source, ok := c.byType[reflect.TypeOf(object)]
	if !ok {
		return nil, fmt.Errorf("cannot convert %s to %s: the kind is not one of those that can be converted", unknown(object), name(to))
	}
	target, ok := c.byKind[to]
	if !ok || target.family != source.family {
		return nil, fmt.Errorf("cannot convert %s to %s: they are not known as versions of one kind", source.name(), name(to))
	}
	out, err := source.family.convert(object, source.version, target.version)
	if err != nil {
		return nil, fmt.Errorf("cannot convert %s to %s: %w", source.name(), name(to), err)
	}
	out.GetObjectKind().SetGroupVersionKind(to)
	return out, nil
}

// Kinds returns all kinds that can be converted, each to its Siblings, which stand
// beside it in the order of Equivalents. The caller owns
// the slice.
func (c *Converter) Kinds() []schema.GroupVersionKind { return slices.Clone(c.kinds) }

// Siblings returns all versions of a kind, itself included, in the order of
// Equivalents. The caller owns the slice. It is nil for a kind that is not in the
// table.
func (c *Converter) Siblings(kind schema.GroupVersionKind) []schema.GroupVersionKind {
	p, ok := c.byKind[kind]
	if !ok {
		return nil
	}
	all := make([]schema.GroupVersionKind, len(p.family.versions))
	for i, v := range p.family.versions {
		all[i] = v.gv.WithKind(p.family.kind)
	}
	return all
}

// Resource returns the resource of a kind. ok is false for kinds that are not in
// the table, and for those that are no resource, such as Scale.
func (c *Converter) Resource(kind schema.GroupVersionKind) (gvr schema.GroupVersionResource, ok bool) {
	p, ok := c.byKind[kind]
	if !ok || p.family.resource == "" {
		return gvr, false
	}
	return kind.GroupVersion().WithResource(p.family.resource), true
}

// Equivalents returns the resources that hold the same objects as gvr in other
// versions, gvr included (S-120, S-122), newest first and the groups that took
// over before those they took over from. The caller owns the slice. It is nil
// for a resource that is not in the table. The subresource scale has the same
// equivalents as its resource.
func (c *Converter) Equivalents(gvr schema.GroupVersionResource) []schema.GroupVersionResource {
	f, ok := c.byResource[gvr]
	if !ok {
		return nil
	}
	all := make([]schema.GroupVersionResource, len(f.versions))
	for i, v := range f.versions {
		all[i] = v.gv.WithResource(f.resource)
	}
	return all
}

func (p place) name() string { return name(p.version.gv.WithKind(p.family.kind)) }

// name returns for example "apps/v1 Deployment".
func name(kind schema.GroupVersionKind) string {
	return kind.GroupVersion().String() + " " + kind.Kind
}

// unknown names an object that is not in the table: by what it says of itself,
// or else by its Go type.
func unknown(object runtime.Object) string {
	if object == nil {
		return "nothing"
	}
	if v := reflect.ValueOf(object); v.Kind() == reflect.Pointer && v.IsNil() {
		return v.Type().String()
	}
	if kind := object.GetObjectKind().GroupVersionKind(); !kind.Empty() {
		return name(kind)
	}
	return reflect.TypeOf(object).String()
}
