package dispatcher

import (
	"reflect"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/internal/engine/review"
	"example.com/gatehouse/matching"
)

// versions converts the objects of a request. The phases do so differently.
type versions interface {
	// in returns the objects converted to a kind.
	in(kind schema.GroupVersionKind) (*versionedObjects, error)
}

// versionedObjects are the objects of a request in one version, with their
// JSON.
type versionedObjects struct {
	*apiadmission.VersionedAttributes
	encodedObject, encodedOldObject review.Encoded
}

func encode(a *apiadmission.VersionedAttributes) *versionedObjects {
	return &versionedObjects{
		VersionedAttributes: a,
		encodedObject:       review.Encode(a.VersionedObject.Object()),
		encodedOldObject:    review.Encode(a.VersionedOldObject.Object()),
	}
}

// mutatingVersions are the versions of the mutating phase. There is one version
// at a time, converted when a webhook asks for another, so that each webhook
// sees the changes of the webhooks before it (S-170).
type mutatingVersions struct {
	run     *phaseRun
	current *versionedObjects
	// view is updated when the object is converted or patched: later selectors
	// and conditions see the new object (S-101).
	view *matching.View
	// original is a copy of the request's object from before the first
	// conversion that wrote to it; nil if no conversion did.
	original runtime.Object
}

func (v *mutatingVersions) in(kind schema.GroupVersionKind) (*versionedObjects, error) {
	if v.current != nil && v.current.VersionedKind == kind {
		return v.current, nil
	}
	err := guard.Call(func() error {
		if v.current == nil {
			a, err := apiadmission.NewVersionedAttributes(v.run.attributes, kind, v.run.interfaces)
			if err == nil {
				v.current = encode(a)
			}
			return err
		}
		a := v.current.VersionedAttributes
		v.keepOriginal()
		if err := apiadmission.ConvertVersionedAttributes(a, kind, v.run.interfaces); err != nil {
			return err
		}
		v.current = encode(a)
		return nil
	})
	if err != nil {
		// Compat: S-181: the callers wrap it a second time.
		return nil, apierrors.NewInternalError(err)
	}
	v.view.Update(v.current.VersionedAttributes)
	return v.current, nil
}

// keepOriginal copies the request's object before a conversion writes a changed
// object to it. There is no copy if copying panics, as for an unstructured
// object that holds a Go int.
func (v *mutatingVersions) keepOriginal() {
	own := v.run.attributes.GetObject()
	if v.run.d.config.Exact || v.original != nil || own == nil || !v.current.Dirty {
		return
	}
	_ = guard.Do(func() { v.original = own.DeepCopyObject() })
}

// undo restores the content of the request's object. With Config.Exact, the
// object stays as the last conversion left it.
func (v *mutatingVersions) undo() {
	if v.original == nil {
		return
	}
	own, original := reflect.ValueOf(v.run.attributes.GetObject()), reflect.ValueOf(v.original)
	if own.Kind() == reflect.Pointer && own.Type() == original.Type() {
		own.Elem().Set(original.Elem())
	}
}

// update replaces the object by the patched object.
func (v *mutatingVersions) update(by *patched) {
	v.current.UpdateObject(by.object)
	v.current.encodedObject = review.Encode(by.object)
	v.view.Update(v.current.VersionedAttributes)
}

// writeBack converts the object into the request's object, if a webhook changed
// it.
//
// Compat: S-172: a patch can change the kind of the object. Only this
// conversion fails then.
func (v *mutatingVersions) writeBack() error {
	if v.current == nil || !v.current.Dirty {
		return nil
	}
	object := v.current.VersionedObject.Object()
	if object == nil {
		return nil
	}
	v.keepOriginal() // the conversion may fail half-way
	err := guard.Call(func() error {
		return v.run.interfaces.GetObjectConvertor().Convert(object, v.run.attributes.GetObject(), nil)
	})
	if err != nil {
		return apierrors.NewInternalError(err)
	}
	return nil
}

// validatingVersions are the versions of the validating phase. It keeps every
// version. One goroutine converts, before the goroutines of the calls read.
type validatingVersions struct {
	run  *phaseRun
	kept map[schema.GroupVersionKind]*versionedObjects
}

func (v *validatingVersions) in(kind schema.GroupVersionKind) (*versionedObjects, error) {
	if objects, ok := v.kept[kind]; ok {
		return objects, nil
	}
	err := guard.Call(func() error {
		a, err := apiadmission.NewVersionedAttributes(v.run.attributes, kind, v.run.interfaces)
		if err != nil {
			return err
		}
		if v.kept == nil {
			v.kept = map[schema.GroupVersionKind]*versionedObjects{}
		}
		v.kept[kind] = encode(a)
		return nil
	})
	return v.kept[kind], err
}
