package kinds

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Registry knows kinds. New makes one that knows the built-in kinds.
type Registry struct {
	scheme *runtime.Scheme
	mapper runtime.EquivalentResourceRegistry
	// served are the kinds that Lookup knows.
	served map[schema.GroupVersionKind]resource
	// versions are those of served, in order of preference.
	versions map[schema.GroupKind][]string
	bodies   map[schema.GroupVersionKind]string
	// definitions are the custom kinds, by kind.
	definitions map[schema.GroupKind]*definition
	// owners says who uses a resource's name.
	owners map[schema.GroupResource]string
}

// resource is where the objects of a kind are.
type resource struct {
	schema.GroupVersionResource
	namespaced bool
}

// builtIn is the owner of the built-in resources.
const builtIn = "a built-in kind"

// New returns a registry of the kinds that kube-apiserver itself serves.
func New() *Registry {
	r := &Registry{
		scheme:      newScheme(),
		mapper:      runtime.NewEquivalentResourceRegistryWithIdentity(identity),
		served:      map[schema.GroupVersionKind]resource{},
		versions:    map[schema.GroupKind][]string{},
		bodies:      map[schema.GroupVersionKind]string{},
		definitions: map[schema.GroupKind]*definition{},
		owners:      map[schema.GroupResource]string{},
	}
	for _, b := range builtins() {
		r.serve(b.gvk(), resource{b.gvr(), b.namespaced})
		r.owners[b.gvr().GroupResource()] = builtIn
		r.mapper.RegisterKindFor(b.gvr(), "", b.gvk())
		if b.status {
			r.mapper.RegisterKindFor(b.gvr(), "status", b.gvk())
		}
	}
	for _, b := range bodies() {
		r.bodies[b.gvk()] = b.subresource
	}
	return r
}

func (r *Registry) serve(kind schema.GroupVersionKind, at resource) {
	r.served[kind] = at
	group := kind.GroupKind()
	r.versions[group] = append(r.versions[group], kind.Version)
}

// Lookup returns the resource of a kind, and whether it is namespaced. The
// error says why there is none, and what to do.
func (r *Registry) Lookup(kind schema.GroupVersionKind) (at schema.GroupVersionResource, namespaced bool, err error) {
	found, ok := r.served[kind]
	if !ok {
		return schema.GroupVersionResource{}, false, r.explain(kind)
	}
	return found.GroupVersionResource, found.namespaced, nil
}

// explain says why a kind is not served.
func (r *Registry) explain(kind schema.GroupVersionKind) error {
	if subresource, ok := r.bodies[kind]; ok {
		return fmt.Errorf("%s is no resource: it is the body of requests to %s", name(kind), subresource)
	}
	if served := r.versions[kind.GroupKind()]; len(served) > 0 {
		by := "kube-apiserver " + release
		if d := r.definitions[kind.GroupKind()]; d != nil {
			by = "the CustomResourceDefinition " + d.name
		}
		return fmt.Errorf("%s is not served: %s serves %s", name(kind), by, inGroup(kind.Group, served))
	}
	if r.scheme.Recognizes(kind) {
		return r.explainType(kind)
	}
	return fmt.Errorf("no resource is known for kind %q in %s: add the CustomResourceDefinition that defines it to the inputs",
		kind.Kind, kind.GroupVersion())
}

// replaced is implemented by types of which k8s.io/api knows the successor.
type replaced interface {
	APILifecycleReplacement() schema.GroupVersionKind
}

// explainType is explain for kinds that have a Go type and are not in the
// table: those of past releases, and those that were never resources.
func (r *Registry) explainType(kind schema.GroupVersionKind) error {
	obj, err := r.scheme.New(kind)
	if err != nil {
		return fmt.Errorf("making a %s: %w", name(kind), err)
	}
	if old, ok := obj.(replaced); ok {
		return fmt.Errorf("%s is not served by kube-apiserver %s: use %s", name(kind), release, name(old.APILifecycleReplacement()))
	}
	return fmt.Errorf("%s is not a kind that kube-apiserver %s serves as a resource", name(kind), release)
}

// name returns for example "apps/v1 Deployment".
func name(kind schema.GroupVersionKind) string {
	return kind.GroupVersion().String() + " " + kind.Kind
}

// inGroup returns for example "apps/v1beta1 and apps/v1".
func inGroup(group string, versions []string) string {
	all := make([]string, len(versions))
	for i, v := range versions {
		all[i] = schema.GroupVersion{Group: group, Version: v}.String()
	}
	last := len(all) - 1
	if last == 0 {
		return all[0]
	}
	return strings.Join(all[:last], ", ") + " and " + all[last]
}
