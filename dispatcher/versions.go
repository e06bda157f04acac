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

// versions converts the objects of a request. The mutating and the validating phase do so
// differently.
type versions interface {
	// in returns the request with its objects converted to a kind.
	in(kind schema.GroupVersionKind) (*versioned, error)
}

// versioned is a request in one version, with the JSON of its objects.
type versioned struct {
	*apiadmission.VersionedAttributes
	object, oldObject review.Encoded
}

func encode(a *apiadmission.VersionedAttributes) *versioned {
	return &versioned{
		VersionedAttributes: a,
		object:              review.Encode(a.VersionedObject.Object()),
		oldObject:           review.Encode(a.VersionedOldObject.Object()),
	}
}

// encode makes the JSON now and not when it is first asked for. Whatever goes wrong
// will go wrong again for those who ask.
func (v *versioned) encode() {
	_ = guard.Do(func() {
		for _, e := range []review.Encoded{v.object, v.oldObject} {
			if e != nil {
				_, _ = e()
			}
		}
	})
}

// serialVersions is the mutating phase's: one version at a time, converted to
// the next when a webhook asks for another, so that what one webhook changed is
// what the next one sees (S-170).
type serialVersions struct {
	pass    *pass
	current *versioned
	// view is updated when the object is made, converted or patched: from then on
	// selectors and conditions see the new one (S-101).
	view *matching.View
	// original is what the request's own object was before a conversion wrote to
	// it; nil if none did.
	original runtime.Object
}

func (s *serialVersions) in(kind schema.GroupVersionKind) (*versioned, error) {
	if s.current != nil && s.current.VersionedKind == kind {
		return s.current, nil
	}
	err := guard.Call(func() error {
		if s.current == nil {
			a, err := apiadmission.NewVersionedAttributes(s.pass.attributes, kind, s.pass.objects)
			if err == nil {
				s.current = encode(a)
			}
			return err
		}
		a := s.current.VersionedAttributes
		s.remember()
		if err := apiadmission.ConvertVersionedAttributes(a, kind, s.pass.objects); err != nil {
			return err
		}
		s.current = encode(a)
		return nil
	})
	if err != nil {
		// Compat: S-181: the callers wrap it a second time.
		return nil, apierrors.NewInternalError(err)
	}
	s.view.Update(s.current.VersionedAttributes)
	return s.current, nil
}

// remember keeps a copy of the request's own object before a changed object is
// written to it: on its way into another version, or at the end. There is none if the object
// cannot be copied: an unstructured one panics if it holds a Go int.
func (s *serialVersions) remember() {
	own := s.pass.attributes.GetObject()
	if s.pass.d.config.Exact || s.original != nil || own == nil || !s.current.Dirty {
		return
	}
	_ = guard.Do(func() { s.original = own.DeepCopyObject() })
}

// undo makes the request's own object what it was. With Config.Exact it stays as
// the last conversion left it.
//
// The host holds the object by its pointer, so it is the content that is put back.
func (s *serialVersions) undo() {
	if s.original == nil {
		return
	}
	own, original := reflect.ValueOf(s.pass.attributes.GetObject()), reflect.ValueOf(s.original)
	if own.Kind() == reflect.Pointer && own.Type() == original.Type() {
		own.Elem().Set(original.Elem())
	}
}

// update replaces the object by what a patch made of it.
func (s *serialVersions) update(by *patched) {
	s.current.UpdateObject(by.object)
	s.current.object = review.Encode(by.object)
	s.view.Update(s.current.VersionedAttributes)
}

// writeBack puts the object, if a webhook changed it, into the request's own
// attributes.
//
// Compat: S-172: a patch can turn the object into another kind, which is noticed
// only here.
func (s *serialVersions) writeBack() error {
	if s.current == nil || !s.current.Dirty {
		return nil
	}
	object := s.current.VersionedObject.Object()
	if object == nil {
		return nil
	}
	s.remember() // a conversion may fail half-way
	err := guard.Call(func() error {
		return s.pass.objects.GetObjectConvertor().Convert(object, s.pass.attributes.GetObject(), nil)
	})
	if err != nil {
		return apierrors.NewInternalError(err)
	}
	return nil
}

// parallelVersions is the validating phase's: every version that a webhook asks
// for is kept. It is filled by one goroutine before many read it.
type parallelVersions struct {
	pass *pass
	kept map[schema.GroupVersionKind]*versioned
}

func (p *parallelVersions) in(kind schema.GroupVersionKind) (*versioned, error) {
	if v, ok := p.kept[kind]; ok {
		return v, nil
	}
	err := guard.Call(func() error {
		a, err := apiadmission.NewVersionedAttributes(p.pass.attributes, kind, p.pass.objects)
		if err != nil {
			return err
		}
		if p.kept == nil {
			p.kept = map[schema.GroupVersionKind]*versioned{}
		}
		p.kept[kind] = encode(a)
		return nil
	})
	return p.kept[kind], err
}
