package kinds

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/internal/manifest"
)

// ObjectInterfaces returns how the engine makes, recognises, converts and
// defaults objects, and which resources are equivalent. It reads the registry,
// to which no definition may be added from now on.
//
// Built-in objects are typed, custom ones unstructured. All versions of a
// resource are equivalent that a server has (S-120): for a served version those
// that are served, for a past one all, the served ones first. They are in the order
// in which an API server prefers them or in which the CustomResourceDefinition
// lists them. Defaulting is that of Default.
//
// The convertor converts objects to all versions that package convert knows, and
// custom ones to all that their definition has, if its strategy is None or there
// are ConversionWebhooks.
func (r *Registry) ObjectInterfaces() apiadmission.ObjectInterfaces {
	return &apiadmission.RuntimeObjectInterfaces{
		ObjectCreater:            creater{r},
		ObjectTyper:              typer{r},
		ObjectDefaulter:          r.scheme,
		ObjectConvertor:          convertor{r},
		EquivalentResourceMapper: r.mapper,
	}
}

// Decode returns the object in a document: typed if the kind is built in,
// unstructured if it is custom. Unknown fields are errors, as far as fields are known.
// Kinds that are built in but are not resources, such as PodExecOptions, can be decoded
// too. The object belongs to the caller. The error says where in the document it is.
func (r *Registry) Decode(d *manifest.Document) (runtime.Object, error) { return r.decode(d, true) }

// DecodeLoosely is Decode for what a server has written, which may be newer and know
// more: unknown fields are no errors. Built-in objects lose them.
func (r *Registry) DecodeLoosely(d *manifest.Document) (runtime.Object, error) {
	return r.decode(d, false)
}

func (r *Registry) decode(d *manifest.Document, strict bool) (runtime.Object, error) {
	if r.scheme.Recognizes(d.Kind) {
		options := serializer.SerializerOptions{Strict: strict}
		return d.Decode(serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, r.scheme, r.scheme, options))
	}
	if _, err := r.Lookup(d.Kind); err != nil {
		return nil, d.Wrap("kind", fmt.Errorf("kind: %w", err))
	}
	obj, err := d.Unstructured()
	if err != nil {
		return nil, err
	}
	return obj, checkMetadata(d, obj, strict)
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

// explainQuietly is explain for a kind that a webhook's patch may have made up, out of
// the data of a Secret even: what is not known is not quoted.
func (c creater) explainQuietly(kind schema.GroupVersionKind) error {
	if served := c.versions[kind.GroupKind()]; len(served) > 0 {
		return fmt.Errorf("the %s is of a version that is not served: it is served in %s", kind.Kind, inGroup(kind.Group, served))
	}
	return errors.New("the object is of a kind that is not known")
}

// typer tells kinds from objects.
type typer struct{ *Registry }

// ObjectKinds returns the kinds that an object may be. An unstructured object
// is what it says.
func (t typer) ObjectKinds(obj runtime.Object) ([]schema.GroupVersionKind, bool, error) {
	return t.scheme.ObjectKinds(obj)
}

// Recognizes reports whether objects of the kind can be made.
func (t typer) Recognizes(kind schema.GroupVersionKind) bool {
	return t.custom(kind) != nil || t.scheme.Recognizes(kind)
}
