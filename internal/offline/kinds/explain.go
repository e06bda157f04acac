package kinds

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// explain returns the error for a kind that has no resource.
func (r *Registry) explain(kind schema.GroupVersionKind) error {
	if b, ok := r.bodies[kind]; ok {
		return fmt.Errorf("%s is not a resource: %s", Name(kind), b.purpose(kind))
	}
	if served := r.versions[kind.GroupKind()]; len(served) > 0 {
		by := "kube-apiserver " + release
		if d := r.definitions[kind.GroupKind()]; d != nil {
			by = "the CustomResourceDefinition " + d.name
		}
		return notServed(kind, by, inGroup(kind.Group, served))
	}
	if use, ok := r.successor(kind); ok {
		return notServed(kind, "kube-apiserver "+release, use.GroupVersion().String())
	}
	if r.scheme.Recognizes(kind) {
		return fmt.Errorf("%s is not a kind that kube-apiserver %s serves as a resource",
			Name(kind), release)
	}
	return fmt.Errorf("unknown kind %q in %s: "+
		"add the CustomResourceDefinition that defines it to the inputs",
		kind.Kind, kind.GroupVersion())
}

func notServed(kind schema.GroupVersionKind, by, served string) error {
	return fmt.Errorf("%s is not served: %s serves %s", Name(kind), by, served)
}

// successor returns the kind that replaces a removed one of another group, such
// as apps/v1 Deployment for that in extensions. ok is false if there is none
// that is served.
func (r *Registry) successor(kind schema.GroupVersionKind) (use schema.GroupVersionKind, ok bool) {
	object, err := r.scheme.New(kind)
	if err != nil {
		return use, false
	}
	if removed, ok := object.(interface {
		APILifecycleReplacement() schema.GroupVersionKind
	}); ok {
		use = removed.APILifecycleReplacement()
	}
	_, ok = r.served[use]
	return use, ok
}

// removed returns the error for a removed resource, nil if the group never had
// it.
func (r *Registry) removed(resource, group string) error {
	for _, gv := range r.scheme.PrioritizedVersionsForGroup(group) {
		for name := range r.scheme.KnownTypes(gv) {
			use, ok := r.successor(gv.WithKind(name))
			if ok && r.served[use].Resource == resource {
				return r.explain(gv.WithKind(name))
			}
		}
	}
	return nil
}

// Name returns a kind for messages, for example "apps/v1 Deployment".
func Name(kind schema.GroupVersionKind) string {
	return kind.GroupVersion().String() + " " + kind.Kind
}

// inGroup returns for example "apps/v1beta1 and apps/v1".
func inGroup(group string, versions []string) string {
	all := make([]string, len(versions))
	for i, v := range versions {
		all[i] = schema.GroupVersion{Group: group, Version: v}.String()
	}
	return list(all, "and")
}

// list returns for example "a, b and c".
func list(words []string, last string) string {
	end := len(words) - 1
	if end == 0 {
		return words[0]
	}
	return strings.Join(words[:end], ", ") + " " + last + " " + words[end]
}
