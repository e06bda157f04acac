package registry

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

// subresourceREST is a subresource that reads the whole object and updates a
// part of it, such as status. updateREST is one that can only be updated.
type (
	subresourceREST struct{ updateREST }
	updateREST      struct{ store *genericregistry.Store }
)

var (
	_ rest.Patcher             = subresourceREST{}
	_ rest.TableConvertor      = subresourceREST{}
	_ rest.Updater             = updateREST{}
	_ rest.ResetFieldsStrategy = updateREST{}
)

// New implements rest.Storage.
func (r updateREST) New() runtime.Object { return r.store.New() }

// Destroy implements rest.Storage. The resource owns the store.
func (updateREST) Destroy() {}

// Update implements rest.Updater. It creates no objects.
func (r updateREST) Update(
	ctx context.Context, name string, object rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, _ bool, options *metav1.UpdateOptions,
) (runtime.Object, bool, error) {
	return r.store.Update(ctx, name, object, create, update, false, options)
}

// GetResetFields implements rest.ResetFieldsStrategy.
func (r updateREST) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return r.store.GetResetFields()
}

// Get implements rest.Getter.
func (r subresourceREST) Get(
	ctx context.Context, name string, options *metav1.GetOptions,
) (runtime.Object, error) {
	return r.store.Get(ctx, name, options)
}

// ConvertToTable implements rest.TableConvertor.
func (r subresourceREST) ConvertToTable(
	ctx context.Context, object, options runtime.Object,
) (*metav1.Table, error) {
	return r.store.ConvertToTable(ctx, object, options)
}

// subresourceStrategy is the update strategy of a subresource.
type subresourceStrategy struct {
	strategy
	// keep sets the fields of object that the subresource does not change to
	// those of old.
	keep func(object, old runtime.Object)
	// reset has the paths of the fields that managers do not own by applying
	// the subresource.
	reset [][]any
}

var _ rest.RESTUpdateStrategy = subresourceStrategy{}

// AllowCreateOnUpdate implements rest.RESTUpdateStrategy.
func (subresourceStrategy) AllowCreateOnUpdate(context.Context) bool { return false }

// AllowUnconditionalUpdate implements rest.RESTUpdateStrategy. Compat: a status
// may be updated without a resourceVersion, even if the object may not.
func (subresourceStrategy) AllowUnconditionalUpdate(context.Context) bool { return true }

// PrepareForUpdate implements rest.RESTUpdateStrategy.
func (s subresourceStrategy) PrepareForUpdate(_ context.Context, object, old runtime.Object) {
	s.keep(object, old)
	s.updateGeneration(object, old)
}

// GetResetFields implements rest.ResetFieldsStrategy.
func (s subresourceStrategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return s.resource.resetFields(s.reset...)
}

// subresource returns a storage of the same objects with a subresourceStrategy,
// which validates the metadata.
// configure, if not nil, changes the resource on which the strategy is based.
func (r resourceREST) subresource(
	keep func(object, old runtime.Object), configure func(*Resource), reset ...[]any,
) updateREST {
	base := r.Store.UpdateStrategy.(strategy)
	base.resource.metadataOnly = true
	if configure != nil {
		configure(&base.resource)
	}
	strategy := subresourceStrategy{base, keep, reset}
	store := *r.Store
	store.UpdateStrategy, store.ResetFieldsStrategy = strategy, strategy
	return updateREST{&store}
}

// newStatusREST returns the subresource "status". Like kube-apiserver's it also
// changes labels, annotations and finalizers; see keepForStatus, and
// Resource.keepForStatus, for exceptions.
func newStatusREST(r resourceREST) rest.Storage {
	configure := func(r *Resource) { r.bumpsGeneration = nil }
	keep := func(object, old runtime.Object) {
		keepForStatus(object, old)
		if r.resource.keepForStatus != nil {
			r.resource.keepForStatus(object, old)
		}
	}
	return subresourceREST{r.subresource(keep, configure, []any{"spec"})}
}

func keepForStatus(object, old runtime.Object) {
	keepFieldsExcept(object, old, "TypeMeta", "ObjectMeta", "Status")
	switch o := object.(type) {
	case *appsv1.Deployment:
		o.Labels = old.(*appsv1.Deployment).Labels
	case *corev1.Pod:
		// Old kubelets drop owner references that they do not know.
		o.OwnerReferences = old.(*corev1.Pod).OwnerReferences
		o.DeletionTimestamp = old.(*corev1.Pod).DeletionTimestamp
	}
}

// newFinalizeREST returns the subresource that changes spec.finalizers of a
// namespace.
func newFinalizeREST(r resourceREST) rest.Storage {
	return r.subresource(func(object, old runtime.Object) {
		keepFieldsExcept(object, old, "TypeMeta", "ObjectMeta", "Spec")
	}, nil, []any{"status"})
}

func newEphemeralContainersREST(r resourceREST) rest.Storage {
	return r.podSubresource(func(pod, old *corev1.PodSpec) {
		old.EphemeralContainers = pod.EphemeralContainers
	})
}

func newResizeREST(r resourceREST) rest.Storage {
	return r.podSubresource(func(pod, old *corev1.PodSpec) {
		copyResources(pod.Containers, old.Containers)
		copyResources(pod.InitContainers, old.InitContainers)
	})
}

// copyResources copies the resources of containers with the same name.
func copyResources(from, to []corev1.Container) {
	for i := range to {
		for _, c := range from {
			if c.Name == to[i].Name {
				to[i].Resources, to[i].ResizePolicy = c.Resources, c.ResizePolicy
			}
		}
	}
}

// podSubresource returns a subresource that changes the part of a pod's spec
// that change copies from pod to old.
func (r resourceREST) podSubresource(change func(pod, old *corev1.PodSpec)) rest.Storage {
	keep := func(object, old runtime.Object) {
		pod, updated := object.(*corev1.Pod), old.(*corev1.Pod).DeepCopy()
		change(&pod.Spec, &updated.Spec)
		updated.ResourceVersion, updated.ManagedFields = pod.ResourceVersion, pod.ManagedFields
		*pod = *updated
	}
	return subresourceREST{r.subresource(keep, nil, []any{"status"})}
}

// resetFields returns the fields at the given paths, for each version.
func (r Resource) resetFields(paths ...[]any) map[fieldpath.APIVersion]*fieldpath.Set {
	set := fieldpath.NewSet()
	for _, path := range paths {
		set.Insert(fieldpath.MakePathOrDie(path...))
	}
	sets := map[fieldpath.APIVersion]*fieldpath.Set{}
	for _, version := range r.Versions() {
		sets[fieldpath.APIVersion(version.String())] = set
	}
	return sets
}
