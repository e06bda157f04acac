package merge

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"example.com/gatehouse/admission/request"
)

// Options are the options of a PATCH request.
type Options struct {
	// Endpoint is the endpoint of the request; only its Resource, Kind and
	// Subresource matter. They select the fields that the manager can own and,
	// for custom resources, the types of patches. Zero means a resource without
	// a status endpoint.
	Endpoint request.Endpoint
	// Manager is the request's fieldManager, the owner of the fields that
	// change. Required for Apply. Patch uses it only if the object has
	// managedFields; "" is the manager "unknown".
	Manager string
	// Force makes Apply take fields that other managers own. Patch always does.
	Force bool
}

// custom reports whether the endpoint is one of a custom resource. Its objects
// may be typed: a Scale is.
func (m *Merger) custom(o Options) bool {
	if o.Endpoint.Kind.Empty() {
		return false
	}
	own, err := m.objects.GetObjectCreater().New(o.Endpoint.Kind)
	return err == nil && isCustom(own)
}

// resets returns the fields that no manager can own at an endpoint, because a
// server does not store them there: the status at the object's endpoint if
// there is a status endpoint, and the rest at the status endpoint. It is nil if
// there are none.
func (m *Merger) resets(o Options) map[fieldpath.APIVersion]fieldpath.Filter {
	at, mapper := o.Endpoint.Resource, m.objects.GetEquivalentResourceMapper()
	if mapper.KindFor(at, "status").Empty() {
		return nil
	}
	paths := m.resetPaths(o)
	if len(paths) == 0 {
		return nil
	}
	versions := mapper.EquivalentResourcesFor(at, "status")
	if m.custom(o) && o.Endpoint.Subresource == "" {
		// Compat: of a custom resource only the version of the request.
		versions = versions[:0:0]
	}
	sets := map[fieldpath.APIVersion]*fieldpath.Set{}
	for _, version := range append(versions, at) {
		sets[fieldpath.APIVersion(version.GroupVersion().String())] = fieldpath.NewSet(paths...)
	}
	return fieldpath.NewExcludeFilterSetMap(sets)
}

// resetPaths returns the fields that a server does not store at an endpoint of
// a resource with a status.
func (m *Merger) resetPaths(o Options) []fieldpath.Path {
	spec, status := fieldpath.MakePathOrDie("spec"), fieldpath.MakePathOrDie("status")
	metadata := fieldpath.MakePathOrDie("metadata")
	switch o.Endpoint.Subresource {
	case "":
		return []fieldpath.Path{status}
	case "status":
	default:
		return nil
	}
	switch resource := o.Endpoint.Resource.GroupResource().String(); {
	case m.custom(o), resource == "customresourcedefinitions.apiextensions.k8s.io", resource == "volumeattachments.storage.k8s.io":
		return []fieldpath.Path{spec, metadata}
	case resource == "deployments.apps":
		return []fieldpath.Path{spec, fieldpath.MakePathOrDie("metadata", "labels")}
	default:
		return []fieldpath.Path{spec}
	}
}
