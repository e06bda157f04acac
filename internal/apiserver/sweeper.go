package apiserver

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes"
	objects "k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
)

// sweeper deletes what is in a namespace, as a client of the server: webhooks hear
// of every deletion, and custom resources are found like all others.
type sweeper struct {
	typed   kubernetes.Interface
	objects objects.Interface
}

func newSweeper(loopback *rest.Config) (sweeper, error) {
	typed, err := kubernetes.NewForConfig(loopback)
	if err != nil {
		return sweeper{}, fmt.Errorf("making the client that empties namespaces: %w", err)
	}
	untyped, err := objects.NewForConfig(loopback)
	if err != nil {
		return sweeper{}, fmt.Errorf("making the client that empties namespaces: %w", err)
	}
	return sweeper{typed, untyped}, nil
}

// errNotEmpty says that a namespace had something in it when it was swept.
var errNotEmpty = errors.New("there was something in the namespace")

// empty deletes what is in a namespace that is to be deleted, and then takes off the
// finalizer that has kept it. An error says that it is to be called again.
func (s sweeper) empty(ctx context.Context, name string) error {
	namespace, err := s.typed.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	at := slices.Index(namespace.Spec.Finalizers, corev1.FinalizerKubernetes)
	if namespace.DeletionTimestamp == nil || at < 0 {
		return nil
	}
	if err := s.sweep(ctx, name); err != nil {
		return err
	}
	namespace.Spec.Finalizers = slices.Delete(namespace.Spec.Finalizers, at, at+1)
	_, err = s.typed.CoreV1().Namespaces().Finalize(ctx, namespace, metav1.UpdateOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// sweep goes through the namespace until it finds nothing, because something may
// have come in before everybody knew that the namespace is to be deleted. Having
// deleted something it is done only after another round.
func (s sweeper) sweep(ctx context.Context, namespace string) error {
	resources, err := s.resources()
	if err != nil {
		return err
	}
	for {
		found, left, err := s.round(ctx, namespace, resources)
		switch {
		case err != nil:
			return err
		case left:
			return errNotEmpty
		case !found:
			return nil
		}
	}
}

// round deletes once. found says that there was something to delete, and left that
// some of it is still there, waiting for its finalizers.
func (s sweeper) round(ctx context.Context, namespace string, resources []schema.GroupVersionResource) (found, left bool, err error) {
	var errs []error
	for _, resource := range resources {
		here := s.objects.Resource(resource).Namespace(namespace)
		some, err := anything(ctx, here)
		if err == nil && some {
			found = true
			err = here.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
		}
		if err == nil && some {
			some, err = anything(ctx, here)
			left = left || some
		}
		if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsMethodNotSupported(err) {
			errs = append(errs, fmt.Errorf("deleting all %s: %w", resource.GroupResource(), err))
		}
	}
	return found, left, errors.Join(errs...)
}

func anything(ctx context.Context, here objects.ResourceInterface) (bool, error) {
	list, err := here.List(ctx, metav1.ListOptions{Limit: 1})
	if err != nil {
		return false, err
	}
	return len(list.Items) > 0, nil
}

// resources are those that namespaces have in them, each in one version.
func (s sweeper) resources() ([]schema.GroupVersionResource, error) {
	lists, err := s.typed.Discovery().ServerPreferredNamespacedResources()
	if err != nil {
		return nil, fmt.Errorf("finding out what may be in a namespace: %w", err)
	}
	lists = discovery.FilteredBy(discovery.SupportsAllVerbs{Verbs: []string{"list", "deletecollection"}}, lists)
	found, err := discovery.GroupVersionResources(lists)
	if err != nil {
		return nil, fmt.Errorf("finding out what may be in a namespace: %w", err)
	}
	var all []schema.GroupVersionResource
	for resource := range found {
		all = append(all, resource)
	}
	return all, nil
}
