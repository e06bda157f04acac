package merge

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// track makes the manager of the options the owner of the fields that a patch
// changed, if the object has managedFields. As on a server, the owners stay as
// they are if the update of managedFields fails.
func (m *Merger) track(stored, patched runtime.Object, o Options) error {
	from, err := meta.Accessor(stored)
	if err != nil {
		return err
	}
	to, err := meta.Accessor(patched)
	if err != nil {
		return err
	}
	owners := from.GetManagedFields()
	if len(owners) == 0 && len(to.GetManagedFields()) == 0 {
		to.SetManagedFields(nil)
		return nil
	}
	fields, err := m.fieldManager(stored, o)
	if err != nil {
		return err
	}
	// The field manager takes an object without a UID for a new one.
	live := stored.DeepCopyObject()
	if err := markStored(live); err != nil {
		return err
	}
	// Not UpdateNoErrors, which also logs the error.
	tracked, err := fields.Update(live, patched, o.Manager)
	if err != nil {
		to.SetManagedFields(owners)
		return nil
	}
	// tracked may be another object, which was converted and back.
	if from, err = meta.Accessor(tracked); err != nil {
		return err
	}
	to.SetManagedFields(from.GetManagedFields())
	return nil
}

// markStored sets a UID, which all stored objects have.
func markStored(object runtime.Object) error {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return err
	}
	if accessor.GetUID() == "" {
		accessor.SetUID("stored")
	}
	return nil
}

// fieldManager returns the field manager for objects like this one at an
// endpoint.
func (m *Merger) fieldManager(
	like runtime.Object, options Options,
) (*managedfields.FieldManager, error) {
	kind := like.GetObjectKind().GroupVersionKind()
	create := managedfields.NewDefaultFieldManager
	if isCustom(like) {
		create = managedfields.NewDefaultCRDFieldManager
	}
	o := m.objects
	manager, err := create(
		m.typesOf(kind, isCustom(like)),
		o.GetObjectConvertor(),
		o.GetObjectDefaulter(),
		o.GetObjectCreater(),
		kind,
		kind.GroupVersion(),
		options.Endpoint.Subresource,
		m.resets(options),
	)
	if err != nil {
		return nil, fmt.Errorf("field manager of %s: %w", kind, err)
	}
	return manager, nil
}

// Types returns the schema of a kind, or a converter that deduces it. It is found when the
// converter is used: mutating policies with JSON patches ask for it, but do not use it.
func (m *Merger) Types(kind schema.GroupVersionKind) managedfields.TypeConverter {
	_, custom := m.schemas[kind.GroupKind()]
	return typesOnUse(func() managedfields.TypeConverter { return m.typesOf(kind, custom) })
}

// typesOnUse is a converter that is found when it is used.
type typesOnUse func() managedfields.TypeConverter

// ObjectToTyped implements managedfields.TypeConverter.
func (find typesOnUse) ObjectToTyped(
	o runtime.Object, options ...typed.ValidationOptions,
) (*typed.TypedValue, error) {
	return find().ObjectToTyped(o, options...)
}

// TypedToObject implements managedfields.TypeConverter.
func (find typesOnUse) TypedToObject(value *typed.TypedValue) (runtime.Object, error) {
	return find().TypedToObject(value)
}

// typesOf returns the schema of a kind, or a converter that deduces it.
func (m *Merger) typesOf(kind schema.GroupVersionKind, custom bool) managedfields.TypeConverter {
	if custom {
		if known, ok := m.schemas[kind.GroupKind()]; ok {
			return known
		}
		return managedfields.NewDeducedTypeConverter()
	}
	if known := m.builtin(); knows(known, kind) {
		return known
	}
	return managedfields.NewDeducedTypeConverter()
}
