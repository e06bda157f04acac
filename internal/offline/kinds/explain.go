package kinds

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// explain says why a kind is not served.
func (r *Registry) explain(kind schema.GroupVersionKind) error {
	if b, ok := r.bodies[kind]; ok {
		return fmt.Errorf("%s is no resource: %s", Name(kind), b.purpose(kind))
	}
	if served := r.versions[kind.GroupKind()]; len(served) > 0 {
		by := "kube-apiserver " + release
		if d := r.definitions[kind.GroupKind()]; d != nil {
			by = "the CustomResourceDefinition " + d.name
		}
		return fmt.Errorf("%s is not served: %s serves %s", Name(kind), by, inGroup(kind.Group, served))
	}
	if r.scheme.Recognizes(kind) {
		// What its type says of a successor is no help: it may never have been served.
		return fmt.Errorf("%s is not a kind that kube-apiserver %s serves as a resource", Name(kind), release)
	}
	return fmt.Errorf("no resource is known for kind %q in %s: add the CustomResourceDefinition that defines it to the inputs",
		kind.Kind, kind.GroupVersion())
}

// Name returns a kind as messages have it, for example "apps/v1 Deployment".
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
