package apiserver

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// Subresources through which clients change a part of an object, such as its
// status. They take and return the whole of it.

// partOf is such a subresource that can be read, and writePart one that cannot.
type (
	partOf    struct{ writePart }
	writePart struct{ store *genericregistry.Store }
)

var (
	_ rest.Patcher             = partOf{}
	_ rest.TableConvertor      = partOf{}
	_ rest.Updater             = writePart{}
	_ rest.ResetFieldsStrategy = writePart{}
)

// New implements rest.Storage.
func (p writePart) New() runtime.Object { return p.store.New() }

// Destroy implements rest.Storage. What is behind belongs to the resource.
func (writePart) Destroy() {}

// Update implements rest.Updater. Nothing is created by it.
func (p writePart) Update(ctx context.Context, name string, object rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, _ bool, options *metav1.UpdateOptions,
) (runtime.Object, bool, error) {
	return p.store.Update(ctx, name, object, create, update, false, options)
}

// GetResetFields implements rest.ResetFieldsStrategy.
func (p writePart) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return p.store.GetResetFields()
}

// Get implements rest.Getter.
func (p partOf) Get(ctx context.Context, name string, options *metav1.GetOptions) (runtime.Object, error) {
	return p.store.Get(ctx, name, options)
}

// ConvertToTable implements rest.TableConvertor.
func (p partOf) ConvertToTable(ctx context.Context, object, options runtime.Object) (*metav1.Table, error) {
	return p.store.ConvertToTable(ctx, object, options)
}

// partStrategy is the strategy of a part.
type partStrategy struct {
	strategy
	// keep sets in an object what of old the subresource does not change.
	keep func(object, old runtime.Object)
	// resets are the paths of the fields that clients cannot come to own by it.
	resets [][]any
}

var _ rest.RESTUpdateStrategy = partStrategy{}

// AllowCreateOnUpdate implements rest.RESTUpdateStrategy.
func (partStrategy) AllowCreateOnUpdate(context.Context) bool { return false }

// AllowUnconditionalUpdate implements rest.RESTUpdateStrategy. Compat: a status may
// be replaced unseen, even one of an object that may not.
func (p partStrategy) AllowUnconditionalUpdate(context.Context) bool { return true }

// PrepareForUpdate implements rest.RESTUpdateStrategy.
func (p partStrategy) PrepareForUpdate(_ context.Context, object, old runtime.Object) {
	p.keep(object, old)
	p.count(object, old)
}

// GetResetFields implements rest.ResetFieldsStrategy.
func (p partStrategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return p.resource.reset(p.resets...)
}

// part returns a storage of the same objects with another strategy.
func (s store) part(keep func(object, old runtime.Object), change func(*resource), resets ...[]any) writePart {
	own := s.Store.UpdateStrategy.(strategy)
	if change != nil {
		change(&own.resource)
	}
	own.rules = metadataRules{own.resource}
	copied := *s.Store
	strategy := partStrategy{own, keep, resets}
	copied.UpdateStrategy, copied.ResetFieldsStrategy = strategy, strategy
	// Hooks are about what parts do not change.
	copied.BeginUpdate = nil
	return writePart{&copied}
}

// newStatus is the subresource that all have with a status. It changes labels and
// the like too, as kube-apiserver's does, with the exceptions of keepForStatus.
func newStatus(s store) rest.Storage {
	quiet := func(r *resource) { r.counts, r.check = nil, nil }
	return partOf{s.part(keepForStatus, quiet, []any{"spec"})}
}

func keepForStatus(object, old runtime.Object) {
	keep(object, old, "TypeMeta", "ObjectMeta", "Status")
	switch o := object.(type) {
	case *appsv1.Deployment:
		o.Labels = old.(*appsv1.Deployment).Labels
	case *corev1.Pod:
		// Old kubelets would lose references to owners.
		o.OwnerReferences = old.(*corev1.Pod).OwnerReferences
		o.DeletionTimestamp = old.(*corev1.Pod).DeletionTimestamp
	}
}

// newFinalize is where the finalizers in a namespace's spec are taken off.
func newFinalize(s store) rest.Storage {
	return s.part(func(object, old runtime.Object) { keep(object, old, "TypeMeta", "ObjectMeta", "Spec") }, nil, []any{"status"})
}

func newEphemeralContainers(s store) rest.Storage {
	return s.podPart(func(pod, old *corev1.PodSpec) { old.EphemeralContainers = pod.EphemeralContainers })
}

func newResize(s store) rest.Storage {
	return s.podPart(func(pod, old *corev1.PodSpec) {
		resize(pod.Containers, old.Containers)
		resize(pod.InitContainers, old.InitContainers)
	})
}

// resize takes over the resources of containers of the same name.
func resize(from, to []corev1.Container) {
	for i := range to {
		for _, c := range from {
			if c.Name == to[i].Name {
				to[i].Resources, to[i].ResizePolicy = c.Resources, c.ResizePolicy
			}
		}
	}
}

// podPart is a subresource of pods that changes some of the spec: what take sets in
// a copy of the old one.
func (s store) podPart(take func(pod, old *corev1.PodSpec)) rest.Storage {
	keep := func(object, old runtime.Object) {
		pod, previous := object.(*corev1.Pod), old.(*corev1.Pod).DeepCopy()
		take(&pod.Spec, &previous.Spec)
		previous.ResourceVersion, previous.ManagedFields = pod.ResourceVersion, pod.ManagedFields
		*pod = *previous
	}
	return partOf{s.part(keep, func(r *resource) { r.check = nil }, []any{"status"})}
}

// reset returns the fields at the given paths, for each version.
func (r resource) reset(paths ...[]any) map[fieldpath.APIVersion]*fieldpath.Set {
	set := fieldpath.NewSet()
	for _, path := range paths {
		set.Insert(fieldpath.MakePathOrDie(path...))
	}
	sets := map[fieldpath.APIVersion]*fieldpath.Set{}
	for _, version := range r.versions() {
		sets[fieldpath.APIVersion(version.String())] = set
	}
	return sets
}
