package kinds

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/offline/convert"
)

// equivalents says which resources hold the same objects in other versions
// (S-120 to S-123).
//
// There are two kinds of servers, and a request says which of them it is for. One
// for a version that is served now goes to a server of this release, which knows
// no past versions: a rule for extensions/v1beta1 does not match deployments in
// apps/v1 there. One for a past version goes to a server that takes it, which has
// all versions of the resource.
type equivalents struct {
	// current is the registry of the first kind of server, and ever that of the
	// second, where the served versions come first.
	current, ever runtime.EquivalentResourceRegistry
	// past are the resources that only ever has.
	past map[schema.GroupVersionResource]bool
	// families names for the resources of package convert the one that stands for
	// all that hold the same objects.
	families map[schema.GroupResource]schema.GroupResource
}

func newEquivalents(converter *convert.Converter) *equivalents {
	families := familiesOf(converter)
	identity := func(resource schema.GroupResource) string {
		if first, ok := families[resource]; ok {
			return first.String()
		}
		return ""
	}
	return &equivalents{
		families: families,
		current:  runtime.NewEquivalentResourceRegistryWithIdentity(identity),
		ever:     runtime.NewEquivalentResourceRegistryWithIdentity(identity),
		past:     map[schema.GroupVersionResource]bool{},
	}
}

// familiesOf makes resources of different groups equivalent if their kinds are
// versions of one kind. Of those that are served, they are the events of the core
// group and of events.k8s.io, which kube-apiserver stores in one place (S-122).
func familiesOf(converter *convert.Converter) map[schema.GroupResource]schema.GroupResource {
	families := map[schema.GroupResource]schema.GroupResource{}
	for _, kind := range converter.Kinds() {
		at, isResource := converter.Resource(kind)
		if first, _ := converter.Resource(converter.Siblings(kind)[0]); isResource {
			families[at.GroupResource()] = first.GroupResource()
		}
	}
	return families
}

// register adds a resource that is served. Those of one family are equivalent in
// the order in which they are added.
func (e *equivalents) register(at schema.GroupVersionResource, subresource string, kind schema.GroupVersionKind) {
	e.current.RegisterKindFor(at, subresource, kind)
	e.ever.RegisterKindFor(at, subresource, kind)
}

func (e *equivalents) registerPast(at schema.GroupVersionResource, subresource string, kind schema.GroupVersionKind) {
	e.past[at] = true
	e.ever.RegisterKindFor(at, subresource, kind)
}

// EquivalentResourcesFor returns the versions of a resource that have the
// subresource, in an order that is always the same.
func (e *equivalents) EquivalentResourcesFor(resource schema.GroupVersionResource, subresource string) []schema.GroupVersionResource {
	if e.past[resource] {
		return e.ever.EquivalentResourcesFor(resource, subresource)
	}
	return e.current.EquivalentResourcesFor(resource, subresource)
}

// KindFor returns the kind that a resource or subresource takes; it is empty if
// there is none.
func (e *equivalents) KindFor(resource schema.GroupVersionResource, subresource string) schema.GroupVersionKind {
	return e.ever.KindFor(resource, subresource)
}

// registered are the subresources of which equivalents are known, and the resource
// itself.
func registered() []string { return []string{"", "status", "scale"} }

// kindAt returns the kind that a subresource takes. What the scale of each version
// is, is known to package request (S-123).
func kindAt(at schema.GroupVersionResource, own schema.GroupVersionKind, subresource string) schema.GroupVersionKind {
	if _, kind, ok := (request.Endpoint{Resource: at, Kind: own, Subresource: subresource}).Takes(); ok {
		return kind
	}
	return own
}
