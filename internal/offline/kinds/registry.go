package kinds

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/offline/convert"
)

// Registry knows kinds. New makes one that knows the built-in kinds.
type Registry struct {
	scheme    *runtime.Scheme
	converter *convert.Converter
	mapper    *equivalents
	// connect is what ConversionWebhooks set. Nil if it was not used.
	connect func(*apiextensionsv1.CustomResourceDefinition) (runtime.ObjectConvertor, error)

	// served are the kinds that can be requested now, and past those that could
	// be once. No kind is in both.
	served map[schema.GroupVersionKind]Resource
	past   map[schema.GroupVersionKind]pastKind
	// resources are those of served and past, in the order in which they came.
	resources []Resource
	// versions are those of served, in order of preference.
	versions map[schema.GroupKind][]string
	bodies   map[schema.GroupVersionKind]body
	// definitions are the custom kinds, by kind.
	definitions map[schema.GroupKind]*definition
	// roundtrip is done to built-in objects besides defaulting.
	roundtrip func(runtime.Object)
	// owners says who uses a resource's name.
	owners map[schema.GroupResource]string
}

// builtIn is the owner of the built-in resources.
const builtIn = "a built-in kind"

// New returns a registry of the kinds that kube-apiserver itself serves, and of
// those that it once served under other versions. Without options it knows no
// defaults and calls no conversion webhooks.
func New(options ...Option) *Registry {
	converter := convert.New()
	r := &Registry{
		scheme:      newScheme(),
		converter:   converter,
		mapper:      newEquivalents(converter),
		served:      map[schema.GroupVersionKind]Resource{},
		past:        map[schema.GroupVersionKind]pastKind{},
		versions:    map[schema.GroupKind][]string{},
		bodies:      bodies(converter),
		definitions: map[schema.GroupKind]*definition{},
		owners:      map[schema.GroupResource]string{},
		roundtrip:   func(runtime.Object) {},
	}
	for _, b := range builtins() {
		r.addBuiltin(b)
	}
	r.addPast()
	for _, set := range options {
		set(r)
	}
	return r
}

func (r *Registry) addBuiltin(b builtin) {
	r.serve(Resource{b.gvr(), b.gvk(), b.namespaced})
	r.owners[b.gvr().GroupResource()] = builtIn
	for _, subresource := range registered() {
		if b.subresources.has(subresource) {
			r.mapper.register(b.gvr(), subresource, kindAt(b.gvr(), b.gvk(), subresource))
		}
	}
}

func (r *Registry) serve(at Resource) {
	r.served[at.Kind] = at
	r.resources = append(r.resources, at)
	group := at.Kind.GroupKind()
	r.versions[group] = append(r.versions[group], at.Kind.Version)
}

// Lookup returns the resource of a kind that can be requested: from kube-apiserver
// of this release, from one of the past that can be converted (see Past), or by a
// CustomResourceDefinition. The error says why there is none, and what to do.
func (r *Registry) Lookup(kind schema.GroupVersionKind) (Resource, error) {
	if found, ok := r.served[kind]; ok {
		return found, nil
	}
	if found, ok := r.past[kind]; ok {
		return found.Resource, nil
	}
	return Resource{}, r.explain(kind)
}

// Settle does to an object what a server does after decoding it, before anybody sees
// it: it gets its defaults, as far as Defaulting added them, and passes through the
// internal type, as far as Roundtrip says. Custom objects stay as they are. Decode
// does not call it.
func (r *Registry) Settle(object runtime.Object) {
	r.scheme.Default(object)
	r.roundtrip(object)
}
