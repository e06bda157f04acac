package kinds

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/internal/manifest"
)

// ObjectInterfaces returns the interfaces with which the engine creates,
// recognises, converts and defaults objects and finds equivalent resources. No
// definition may be added after the call.
//
// Built-in objects are typed, custom ones unstructured. The served versions of
// a resource are equivalent (S-120), in the order in which an API server
// prefers them or in which the CustomResourceDefinition lists them.
//
// The convertor converts to all versions of package convert, and to all
// versions of a definition whose strategy is None or if there are
// ConversionWebhooks.
//
// The interfaces implement simulate.Storage.
func (r *Registry) ObjectInterfaces() apiadmission.ObjectInterfaces {
	return &objectInterfaces{
		RuntimeObjectInterfaces: &apiadmission.RuntimeObjectInterfaces{
			ObjectCreater:            creater{r},
			ObjectTyper:              typer{r},
			ObjectDefaulter:          defaulter{r},
			ObjectConvertor:          convertor{r},
			EquivalentResourceMapper: r.mapper,
		},
		storage: storage{r},
	}
}

// objectInterfaces are the result of ObjectInterfaces.
type objectInterfaces struct {
	*apiadmission.RuntimeObjectInterfaces
	storage
}

// Decode returns the object in a document: typed if the kind is built in,
// unstructured if it is custom. Unknown fields are errors, except for those of
// custom objects outside of metadata, which are pruned later. Built-in kinds
// that are no resources, such as PodExecOptions, can be decoded too. The object
// belongs to the caller. The error has the position.
func (r *Registry) Decode(d *manifest.Document) (runtime.Object, error) { return r.decode(d, true) }

// DecodeLoosely is Decode for objects from a server, which may be newer: it
// drops unknown fields of built-in objects and keeps those of custom ones.
func (r *Registry) DecodeLoosely(d *manifest.Document) (runtime.Object, error) {
	return r.decode(d, false)
}

func (r *Registry) decode(d *manifest.Document, strict bool) (runtime.Object, error) {
	if r.scheme.Recognizes(d.Kind) {
		return r.decodeBuiltin(d, strict)
	}
	if _, err := r.Lookup(d.Kind); err != nil {
		return nil, d.Wrap("kind", fmt.Errorf("kind: %w", err))
	}
	obj, err := d.Unstructured()
	if err := errors.Join(err, d.CheckMetadata(strict)); err != nil {
		return nil, err
	}
	return obj, nil
}

func (r *Registry) decodeBuiltin(d *manifest.Document, strict bool) (runtime.Object, error) {
	obj, err := r.scheme.New(d.Kind)
	if err != nil {
		return nil, err
	}
	if err := d.DecodeInto(obj, strict); err != nil {
		return nil, err
	}
	return obj, nil
}

// custom returns the definition of a custom kind, nil for others.
func (r *Registry) custom(kind schema.GroupVersionKind) *definition {
	d := r.definitions[kind.GroupKind()]
	if d == nil {
		return nil
	}
	if _, ok := d.versions[kind.Version]; !ok {
		return nil
	}
	return d
}

// defaulter sets defaults, if Defaulting is on.
type defaulter struct{ *Registry }

// Default sets the defaults of the object's version.
func (d defaulter) Default(object runtime.Object) {
	custom, ok := object.(*unstructured.Unstructured)
	if !ok {
		d.scheme.Default(object)
		return
	}
	if of := d.custom(custom.GroupVersionKind()); of != nil && d.defaults {
		of.strategy.Default(custom)
	}
}

// creater makes empty objects.
type creater struct{ *Registry }

// New returns an object of the kind, with the kind filled in if it is custom.
func (c creater) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	if c.custom(kind) != nil {
		obj := &unstructured.Unstructured{}
		obj.SetGroupVersionKind(kind)
		return obj, nil
	}
	if !c.scheme.Recognizes(kind) {
		return nil, c.explainQuietly(kind)
	}
	return c.scheme.New(kind)
}

// explainQuietly is explain without quoting unknown kinds: a webhook's patch
// may have copied a secret there.
func (c creater) explainQuietly(kind schema.GroupVersionKind) error {
	if served := c.versions[kind.GroupKind()]; len(served) > 0 {
		return fmt.Errorf("the %s has a version that is not served: the served versions are %s", kind.Kind,
			inGroup(kind.Group, served))
	}
	return errors.New("the object has an unknown kind")
}

// typer returns the kinds of objects.
type typer struct{ *Registry }

// ObjectKinds returns the kinds of a Go type, or that of an unstructured
// object.
func (t typer) ObjectKinds(obj runtime.Object) ([]schema.GroupVersionKind, bool, error) {
	return t.scheme.ObjectKinds(obj)
}

// Recognizes reports whether New can create objects of the kind.
func (t typer) Recognizes(kind schema.GroupVersionKind) bool {
	return t.custom(kind) != nil || t.scheme.Recognizes(kind)
}
