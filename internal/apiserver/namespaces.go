package apiserver

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/storage"
	storeerr "k8s.io/apiserver/pkg/storage/errors"
	"k8s.io/apiserver/pkg/util/dryrun"
)

// namespaces is the storage of namespaces, where deletion has two steps:
//
//	Active --delete--> Terminating --what is in it is gone,--> gone
//	                               the last finalizer is off
//
// The janitor sees to the second.
type namespaces struct {
	undeletable
	store   store
	janitor *janitor
}

// undeletable is what namespaces have from their store. They cannot be deleted all
// at once.
type undeletable interface {
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
	_ undeletable          = store{}
	_ rest.GracefulDeleter = namespaces{}
	_ worker               = namespaces{}
)

func newNamespaces(s store) rest.Storage { return namespaces{s, s, &janitor{namespaces: s}} }

// tuneNamespaces has an update delete a namespace that is to be deleted only when
// it has no finalizers of either sort.
func tuneNamespaces(s *genericregistry.Store) {
	s.ShouldDeleteDuringUpdate = func(_ context.Context, _ string, object, _ runtime.Object) bool {
		return len(object.(*corev1.Namespace).Spec.Finalizers) == 0
	}
}

// attach implements worker.
func (n namespaces) attach(server *genericapiserver.GenericAPIServer) error {
	return n.janitor.attach(server)
}

// Delete implements rest.GracefulDeleter. Once a namespace is to be deleted, asking
// again changes nothing, until it has no finalizers.
func (n namespaces) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) {
	found, err := n.store.Get(ctx, name, &metav1.GetOptions{})
	if err != nil {
		return nil, false, err
	}
	namespace := found.(*corev1.Namespace)
	switch {
	case namespace.DeletionTimestamp == nil:
		return n.terminate(ctx, namespace, validate, options)
	case len(namespace.Spec.Finalizers) > 0:
		return namespace, false, nil
	default:
		return n.store.Delete(ctx, name, validate, options)
	}
}

// terminate takes the first step. A namespace of the same name that has come since
// is another one.
func (n namespaces) terminate(ctx context.Context, found *corev1.Namespace, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) {
	key, err := n.store.KeyFunc(ctx, found.Name)
	if err != nil {
		return nil, false, err
	}
	conditions := storage.Preconditions{UID: &found.UID}
	if p := options.Preconditions; p != nil {
		if p.UID != nil && *p.UID != found.UID {
			return nil, false, apierrors.NewConflict(n.store.resource.groupResource(), found.Name, otherUID(*p.UID, found.UID))
		}
		conditions.ResourceVersion = p.ResourceVersion
	}
	change := storage.SimpleUpdate(func(existing runtime.Object) (runtime.Object, error) {
		namespace := existing.(*corev1.Namespace)
		if err := validate(ctx, namespace.DeepCopy()); err != nil {
			return nil, err
		}
		now := metav1.Now()
		namespace.DeletionTimestamp = &now
		namespace.Status.Phase = corev1.NamespaceTerminating
		return namespace, nil
	})
	out, dry := &corev1.Namespace{}, dryrun.IsDryRun(options.DryRun)
	if err := n.store.Storage.GuaranteedUpdate(ctx, key, out, false, &conditions, change, dry, nil); err != nil {
		err = storeerr.InterpretGetError(err, n.store.resource.groupResource(), found.Name)
		return nil, false, storeerr.InterpretUpdateError(err, n.store.resource.groupResource(), found.Name)
	}
	if !dry {
		n.janitor.clean(out.Name)
	}
	return out, false, nil
}

// otherUID says that a request is about another object of the same name.
func otherUID(wanted, is types.UID) error {
	//lint:ignore ST1005 This is kube-apiserver's text.
	return fmt.Errorf("Precondition failed: UID in precondition: %v, UID in object meta: %v", wanted, is)
}
