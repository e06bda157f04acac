package kinds

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Registry has the kinds, their resources and conversions. New creates it.
type Registry struct {
	// scheme does not change: registries share it.
	scheme *runtime.Scheme
	mapper runtime.EquivalentResourceRegistry
	// connect is the argument of ConversionWebhooks, nil without that option.
	connect func(*apiextensionsv1.CustomResourceDefinition) (runtime.ObjectConvertor, error)

	// served are the kinds with a resource.
	served map[schema.GroupVersionKind]Resource
	// resources are those of served, in the order in which they were added.
	resources []Resource
	// versions are those of served, in order of preference.
	versions map[schema.GroupKind][]string
	bodies   map[schema.GroupVersionKind]body
	// definitions are the custom kinds.
	definitions map[schema.GroupKind]*definition
	// defaults is true if objects get their defaults.
	defaults bool
	// roundtrip applies to built-in objects besides defaulting.
	roundtrip func(runtime.Object)
	// owners describes the owner of a resource, for messages.
	owners map[schema.GroupResource]string
}

// builtIn is the owner of the built-in resources.
const builtIn = "a built-in kind"

// New returns a registry of the kinds that kube-apiserver itself serves.
// Without options it knows no defaults and calls no conversion webhooks.
func New(options ...Option) *Registry {
	r := &Registry{
		scheme:      builtinTypes(),
		mapper:      newMapper(),
		served:      map[schema.GroupVersionKind]Resource{},
		versions:    map[schema.GroupKind][]string{},
		bodies:      bodies(),
		definitions: map[schema.GroupKind]*definition{},
		owners:      map[schema.GroupResource]string{},
		roundtrip:   func(runtime.Object) {},
	}
	for _, b := range builtins() {
		r.addBuiltin(b)
	}
	for _, set := range options {
		set(r)
	}
	return r
}

func (r *Registry) addBuiltin(b builtin) {
	r.serve(Resource{b.gvr(), b.gvk(), b.namespaced})
	r.owners[b.gvr().GroupResource()] = builtIn
	for _, subresource := range mapped() {
		if b.subresources.has(subresource) {
			r.mapper.RegisterKindFor(b.gvr(), subresource, kindAt(b.gvr(), b.gvk(), subresource))
		}
	}
}

func (r *Registry) serve(at Resource) {
	r.served[at.Kind] = at
	r.resources = append(r.resources, at)
	group := at.Kind.GroupKind()
	r.versions[group] = append(r.versions[group], at.Kind.Version)
}

// Lookup returns the resource of a kind that kube-apiserver of this release or
// a CustomResourceDefinition serves. The error names the served version if
// there is one.
func (r *Registry) Lookup(kind schema.GroupVersionKind) (Resource, error) {
	if found, ok := r.served[kind]; ok {
		return found, nil
	}
	return Resource{}, r.explain(kind)
}

// Normalize changes an object that a client sends as a server does after
// decoding it: it sets its defaults and, for a built-in object, calls the
// function of Roundtrip. It does not prune custom objects. Decode does not call
// it.
func (r *Registry) Normalize(object runtime.Object) {
	defaulter{r}.Default(object)
	r.roundtrip(object)
}

// NormalizeStored is Normalize for an object that is stored. It prunes custom
// objects, and their defaults are those of the stored version.
func (r *Registry) NormalizeStored(object runtime.Object) {
	if _, d := r.asCustom(object); d != nil {
		r.read(object)
		return
	}
	r.Normalize(object)
}
