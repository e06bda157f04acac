package kinds

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/offline/convert"
)

// Canonical returns one name for all resources with the same objects:
// events.events.k8s.io for the events of both groups (S-122), and otherwise the
// resource itself.
func (r *Registry) Canonical(resource schema.GroupResource) schema.GroupResource {
	return canonical(resource)
}

func canonical(resource schema.GroupResource) schema.GroupResource {
	if resource == corev1.Resource("events") {
		return eventsv1.Resource("events")
	}
	return resource
}

// Versions reports whether two kinds are versions of one kind, which may be in
// two groups as Event is. A kind is a version of itself.
func (r *Registry) Versions(a, b schema.GroupVersionKind) bool {
	return a.GroupKind() == b.GroupKind() || slices.Contains(convert.Versions(a), b)
}
