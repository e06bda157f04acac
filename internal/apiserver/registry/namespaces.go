package registry

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage"
	storeerr "k8s.io/apiserver/pkg/storage/errors"
	"k8s.io/apiserver/pkg/util/dryrun"
	"k8s.io/utils/ptr"

	"example.com/gatehouse/internal/apiserver/namespaces"
)

// namespaceREST is the storage of namespaces. They are deleted in two phases:
// DELETE makes a namespace Terminating, and the controller of package
// namespaces removes it when its content and its finalizers are gone.
type namespaceREST struct {
	namespaceStore
	rest       resourceREST
	controller *namespaces.Controller
}

// namespaceStore are the methods of the store without DELETE, which is
// replaced, and DELETE of collections, which kube-apiserver does not serve for
// namespaces.
type namespaceStore interface {
	rest.Scoper
	rest.Lister
	rest.Getter
	rest.Watcher
	rest.CreaterUpdater
	rest.SingularNameProvider
	rest.ShortNamesProvider
	rest.CategoriesProvider
	rest.ResetFieldsStrategy
	rest.StorageVersionProvider
	rest.StorageWithReadiness
}

var (
	_ namespaceStore       = resourceREST{}
	_ rest.GracefulDeleter = namespaceREST{}
)

func newNamespaceREST(r resourceREST) rest.Storage {
	return namespaceREST{r, r, namespaces.NewController(r)}
}

// setNamespaceStoreOptions lets an update that removes the last of
// metadata.finalizers delete a namespace only if spec.finalizers is empty too.
func setNamespaceStoreOptions(s *genericregistry.Store) {
	s.ShouldDeleteDuringUpdate = func(_ context.Context, _ string, object, _ runtime.Object) bool {
		return len(object.(*corev1.Namespace).Spec.Finalizers) == 0
	}
}

// Delete implements rest.GracefulDeleter. It does not change a Terminating namespace with
// finalizers, but lets the controller try again: no watch tells it that it must.
func (n namespaceREST) Delete(
	ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions,
) (runtime.Object, bool, error) {
	stored, err := n.rest.Get(ctx, name, &metav1.GetOptions{})
	if err != nil {
		return nil, false, err
	}
	namespace := stored.(*corev1.Namespace)
	switch {
	case namespace.DeletionTimestamp == nil:
		return n.terminate(ctx, namespace, validate, options)
	case len(namespace.Spec.Finalizers) > 0:
		n.controller.Enqueue(name)
		return namespace, false, nil
	default:
		return n.rest.Delete(ctx, name, validate, options)
	}
}

// terminate makes a namespace Terminating, unless a new namespace with the same
// name has replaced it.
func (n namespaceREST) terminate(
	ctx context.Context, found *corev1.Namespace, validate rest.ValidateObjectFunc,
	options *metav1.DeleteOptions,
) (runtime.Object, bool, error) {
	resource := n.rest.resource.groupResource()
	key, err := n.rest.KeyFunc(ctx, found.Name)
	if err != nil {
		return nil, false, err
	}
	conditions := storage.Preconditions{UID: &found.UID}
	if p := options.Preconditions; p != nil {
		if p.UID != nil && *p.UID != found.UID {
			return nil, false, apierrors.NewConflict(
				resource, found.Name, uidPreconditionError(*p.UID, found.UID))
		}
		conditions.ResourceVersion = p.ResourceVersion
	}
	change := storage.SimpleUpdate(func(existing runtime.Object) (runtime.Object, error) {
		namespace := existing.(*corev1.Namespace)
		if err := validate(ctx, namespace.DeepCopy()); err != nil {
			return nil, err
		}
		markTerminating(namespace, options)
		return namespace, nil
	})
	out, dry := &corev1.Namespace{}, dryrun.IsDryRun(options.DryRun)
	err = n.rest.Storage.GuaranteedUpdate(ctx, key, out, false, &conditions, change, dry, nil)
	if err != nil {
		err = storeerr.InterpretGetError(err, resource, found.Name)
		return nil, false, storeerr.InterpretUpdateError(err, resource, found.Name)
	}
	if !dry {
		n.controller.Enqueue(out.Name)
	}
	return out, false, nil
}

// markTerminating makes a namespace Terminating, if another request has not done so. It sets
// the finalizer of the garbage collector that the options ask for; without a policy it keeps
// the one that the namespace has. Compat: orphanDependents=false asks for the foreground, as
// for no other kind.
func markTerminating(namespace *corev1.Namespace, options *metav1.DeleteOptions) {
	if namespace.DeletionTimestamp == nil {
		namespace.DeletionTimestamp = new(metav1.Now())
	}
	namespace.Status.Phase = corev1.NamespaceTerminating
	//lint:ignore SA1019 Old clients set it.
	policy, orphan := options.PropagationPolicy, options.OrphanDependents
	wanted := ""
	switch {
	case policy == nil && orphan == nil:
		return
	case ptr.Deref(orphan, false) || ptr.Deref(policy, "") == metav1.DeletePropagationOrphan:
		wanted = metav1.FinalizerOrphanDependents
	case orphan != nil || *policy == metav1.DeletePropagationForeground:
		wanted = metav1.FinalizerDeleteDependents
	}
	namespace.Finalizers = slices.DeleteFunc(namespace.Finalizers, func(f string) bool {
		return f != wanted &&
			(f == metav1.FinalizerOrphanDependents || f == metav1.FinalizerDeleteDependents)
	})
	if wanted != "" && !slices.Contains(namespace.Finalizers, wanted) {
		namespace.Finalizers = append(namespace.Finalizers, wanted)
	}
}

// uidPreconditionError returns kube-apiserver's error for another object with
// the same name.
func uidPreconditionError(wanted, actual types.UID) error {
	//lint:ignore ST1005 This is kube-apiserver's text.
	return fmt.Errorf("Precondition failed: UID in precondition: %v, UID in object meta: %v",
		wanted, actual)
}
