package kinds

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Canonical returns the resource that stands for all that hold the same objects, as
// deployments.apps does for deployments.extensions: two resources have the same one
// if an object of one is an object of the other (S-122). It is the resource itself if
// there are no others.
func (r *Registry) Canonical(resource schema.GroupResource) schema.GroupResource {
	if first, ok := r.mapper.families[resource]; ok {
		return first
	}
	return resource
}

// Versions reports whether two kinds are versions of one, which may have moved from
// one group to another, as Deployment did from extensions to apps. A kind is a version
// of itself.
func (r *Registry) Versions(a, b schema.GroupVersionKind) bool {
	return a.GroupKind() == b.GroupKind() || slices.Contains(r.converter.Siblings(a), b)
}
