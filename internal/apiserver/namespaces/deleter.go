package namespaces

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
)

// namespacedResourcesDeleter deletes all objects in a namespace as a client of
// the server. So webhooks are called for every deletion, and custom resources
// are found by discovery like all others.
type namespacedResourcesDeleter struct {
	typed   kubernetes.Interface
	objects metadata.Interface
}

func newNamespacedResourcesDeleter(loopback *rest.Config) (namespacedResourcesDeleter, error) {
	typed, err := kubernetes.NewForConfig(loopback)
	var objects metadata.Interface
	if err == nil {
		objects, err = metadata.NewForConfig(loopback)
	}
	if err != nil {
		err = fmt.Errorf("creating a client for namespace deletion: %w", err)
	}
	return namespacedResourcesDeleter{typed, objects}, err
}

// errContentRemaining says that objects in the namespace wait for their
// finalizers.
var errContentRemaining = errors.New("the namespace still contains objects")

// delete deletes the content of a Terminating namespace and then removes the
// finalizer "kubernetes". The caller must retry after an error.
func (d namespacedResourcesDeleter) delete(ctx context.Context, name string) error {
	namespace, err := d.typed.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	i := slices.Index(namespace.Spec.Finalizers, corev1.FinalizerKubernetes)
	if namespace.DeletionTimestamp == nil || i < 0 {
		return nil
	}
	if err := d.deleteAllContent(ctx, name); err != nil {
		return err
	}
	namespace.Spec.Finalizers = slices.Delete(namespace.Spec.Finalizers, i, i+1)
	_, err = d.typed.CoreV1().Namespaces().Finalize(ctx, namespace, metav1.UpdateOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// deleteAllContent repeats the deletion until a round finds no objects: clients
// may have created objects before NamespaceLifecycle saw that the namespace is
// Terminating.
func (d namespacedResourcesDeleter) deleteAllContent(ctx context.Context, namespace string) error {
	resources, err := d.deletableResources()
	if err != nil {
		return err
	}
	for {
		found, remaining, err := d.deleteOnce(ctx, namespace, resources)
		switch {
		case err != nil:
			return err
		case remaining:
			return errContentRemaining
		case !found:
			return nil
		}
	}
}

// deleteOnce deletes the collections of all resources. found says whether there
// were objects, and remaining whether some still exist afterwards.
func (d namespacedResourcesDeleter) deleteOnce(
	ctx context.Context, namespace string, resources []schema.GroupVersionResource,
) (found, remaining bool, err error) {
	var errs []error
	for _, resource := range resources {
		client := d.objects.Resource(resource).Namespace(namespace)
		exist, err := hasObjects(ctx, client)
		if err == nil && exist {
			found = true
			err = client.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
		}
		if err == nil && exist {
			exist, err = hasObjects(ctx, client)
			remaining = remaining || exist
		}
		if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsMethodNotSupported(err) {
			errs = append(errs, fmt.Errorf("deleting all %s: %w", resource.GroupResource(), err))
		}
	}
	return found, remaining, errors.Join(errs...)
}

func hasObjects(ctx context.Context, client metadata.ResourceInterface) (bool, error) {
	list, err := client.List(ctx, metav1.ListOptions{Limit: 1})
	if err != nil {
		return false, err
	}
	return len(list.Items) > 0, nil
}

// deletableResources discovers the namespaced resources, each in its preferred
// version.
func (d namespacedResourcesDeleter) deletableResources() ([]schema.GroupVersionResource, error) {
	lists, err := d.typed.Discovery().ServerPreferredNamespacedResources()
	if err != nil {
		return nil, fmt.Errorf("discovering the namespaced resources: %w", err)
	}
	verbs := discovery.SupportsAllVerbs{Verbs: []string{"list", "deletecollection"}}
	set, err := discovery.GroupVersionResources(discovery.FilteredBy(verbs, lists))
	if err != nil {
		return nil, fmt.Errorf("discovering the namespaced resources: %w", err)
	}
	return slices.Collect(maps.Keys(set)), nil
}
