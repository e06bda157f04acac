package merge

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"example.com/gatehouse/admission/request"
)

// Options are how a server is asked to change an object.
type Options struct {
	// Endpoint is where the request goes; only its Resource, Kind and Subresource
	// matter. They decide whom the fields belong to and, for custom resources,
	// which types of patches are taken. Zero means the resource of the object
	// itself, and that it has no status of its own.
	Endpoint request.Endpoint
	// Manager is the request's fieldManager, which comes to own what changes. Apply
	// needs one. To Patch it matters only if the object has managedFields, and ""
	// is the manager "unknown" there.
	Manager string
	// Force says that Apply takes the fields that others own. Patch always does.
	Force bool
}

// custom reports whether the endpoint is one of a custom resource, also if what it
// takes is not: the Scale of a custom object is typed.
func (m *Merger) custom(o Options) bool {
	if o.Endpoint.Kind.Empty() {
		return false
	}
	own, err := m.objects.GetObjectCreater().New(o.Endpoint.Kind)
	return err == nil && isCustom(own)
}

// resets returns the fields that nobody comes to own at an endpoint, because a
// server does not store them there: the status is written at an endpoint of its own,
// if the resource has one, and nothing else is written there. It is nil if there are
// none.
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
		// Compat: of a custom resource only the version that is asked for.
		versions = versions[:0:0]
	}
	sets := map[fieldpath.APIVersion]*fieldpath.Set{}
	for _, version := range append(versions, at) {
		sets[fieldpath.APIVersion(version.GroupVersion().String())] = fieldpath.NewSet(paths...)
	}
	return fieldpath.NewExcludeFilterSetMap(sets)
}

// resetPaths returns what is not stored at an endpoint of a resource with a status.
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
