package merge

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
)

// track makes a manager the owner of what a patch has changed, if the object is one
// whose fields have owners at all. If that cannot be found out, the owners stay who
// they were, as on a server.
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
	// To the field manager, what has no UID is being created. It gets one, in
	// a copy, because the owners are kept and taken away again.
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
	// What is returned may be another object, converted there and back.
	if from, err = meta.Accessor(tracked); err != nil {
		return err
	}
	to.SetManagedFields(from.GetManagedFields())
	return nil
}

// markStored gives an object a UID, as all stored objects have one.
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

// fieldManager returns what knows the owners of fields of objects like this one, as
// they are at an endpoint.
func (m *Merger) fieldManager(like runtime.Object, options Options) (*managedfields.FieldManager, error) {
	kind := like.GetObjectKind().GroupVersionKind()
	create := managedfields.NewDefaultFieldManager
	if isCustom(like) {
		create = managedfields.NewDefaultCRDFieldManager
	}
	o := m.objects
	manager, err := create(m.typesOf(kind, isCustom(like)), o.GetObjectConvertor(), o.GetObjectDefaulter(), o.GetObjectCreater(), kind, kind.GroupVersion(), options.Endpoint.Subresource, m.resets(options))
	if err != nil {
		return nil, fmt.Errorf("field manager of %s: %w", kind, err)
	}
	return manager, nil
}

// typesOf returns what knows the fields of a kind.
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
