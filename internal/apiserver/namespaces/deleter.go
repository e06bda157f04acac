package namespaces

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/metadata"

	"example.com/gatehouse/internal/apiserver/controller"
)

// namespacedResourcesDeleter deletes all objects in a namespace as a client of
// the server. So webhooks are called for every deletion, and custom resources
// are found by discovery like all others.
type namespacedResourcesDeleter struct{ controller.Clients }

// errContentRemaining is the error if objects in the namespace wait for their
// finalizers.
var errContentRemaining = errors.New("the namespace still contains objects")

// delete deletes the content of a Terminating namespace and then removes the
// finalizer "kubernetes". The caller must retry after an error.
func (d namespacedResourcesDeleter) delete(ctx context.Context, name string) error {
	namespace, err := d.Typed.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if namespace.DeletionTimestamp == nil ||
		!slices.Contains(namespace.Spec.Finalizers, corev1.FinalizerKubernetes) {
		return nil
	}
	left := d.deleteAllContent(ctx, name)
	namespace, err = d.report(ctx, namespace, left)
	if err == nil {
		err = left.err()
	}
	if err == nil {
		namespace.Spec.Finalizers = slices.DeleteFunc(namespace.Spec.Finalizers,
			func(f corev1.FinalizerName) bool { return f == corev1.FinalizerKubernetes })
		_, err = d.Typed.CoreV1().Namespaces().Finalize(ctx, namespace, metav1.UpdateOptions{})
	}
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// remaining counts the objects that remain after an attempt to delete the
// content of a namespace.
type remaining struct {
	// objects and finalizers are the numbers of objects by resource and by
	// finalizer.
	objects    map[schema.GroupResource]int
	finalizers map[string]int
	// found is set if there were objects.
	found bool
	// discovery and deletion are errors of these steps.
	discovery error
	deletion  []error
}

func (r *remaining) err() error {
	if err := errors.Join(append(r.deletion, r.discovery)...); err != nil {
		return err
	}
	if len(r.objects) > 0 {
		return errContentRemaining
	}
	return nil
}

func (r *remaining) add(resource schema.GroupResource, objects []metav1.PartialObjectMetadata) {
	if len(objects) > 0 {
		r.objects[resource] = len(objects)
	}
	for _, o := range objects {
		for _, finalizer := range o.Finalizers {
			r.finalizers[finalizer]++
		}
	}
}

// deleteAllContent repeats the deletion until a round finds no objects: clients
// may have created objects before NamespaceLifecycle saw that the namespace is
// Terminating.
func (d namespacedResourcesDeleter) deleteAllContent(
	ctx context.Context, namespace string,
) remaining {
	resources, err := d.deletableResources()
	if err != nil {
		return remaining{discovery: err}
	}
	for {
		left := d.deleteOnce(ctx, namespace, resources)
		if !left.found || left.err() != nil {
			return left
		}
	}
}

// deleteOnce deletes the collections of all resources. Pods come first, and everything else
// stays until none is left: a NetworkPolicy must apply until its pods have ended.
func (d namespacedResourcesDeleter) deleteOnce(
	ctx context.Context, namespace string, resources []schema.GroupVersionResource,
) remaining {
	left := remaining{objects: map[schema.GroupResource]int{}, finalizers: map[string]int{}}
	for _, resource := range resources {
		client := d.Objects.Resource(resource).Namespace(namespace)
		list, err := client.List(ctx, metav1.ListOptions{Limit: 1})
		if err == nil && len(list.Items) > 0 {
			left.found = true
			list, err = deleteCollection(ctx, client, resource.GroupResource())
		}
		if err == nil {
			left.add(resource.GroupResource(), list.Items)
		} else if !apierrors.IsNotFound(err) && !apierrors.IsMethodNotSupported(err) {
			err = fmt.Errorf("deleting all %s: %w", resource.GroupResource(), err)
			left.deletion = append(left.deletion, err)
		}
		if resource == pods() && left.err() != nil {
			break
		}
	}
	return left
}

// deleteCollection deletes the objects of a resource and returns those that are
// left. Pods on nodes are deleted as in a cluster: gracefully, and then without
// a grace period, as by a kubelet that has stopped the containers.
func deleteCollection(
	ctx context.Context, client metadata.ResourceInterface, resource schema.GroupResource,
) (*metav1.PartialObjectMetadataList, error) {
	options := metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletePropagationBackground)}
	if err := client.DeleteCollection(ctx, options, metav1.ListOptions{}); err != nil {
		return nil, err
	}
	list, err := client.List(ctx, metav1.ListOptions{})
	if err != nil || len(list.Items) == 0 || resource != corev1.Resource("pods") {
		return list, err
	}
	options.GracePeriodSeconds = new(int64)
	if err := client.DeleteCollection(ctx, options, metav1.ListOptions{}); err != nil {
		return nil, err
	}
	return client.List(ctx, metav1.ListOptions{})
}

func pods() schema.GroupVersionResource { return corev1.SchemeGroupVersion.WithResource("pods") }

// deletableResources discovers the namespaced resources, each in its preferred
// version. Pods are the first.
func (d namespacedResourcesDeleter) deletableResources() ([]schema.GroupVersionResource, error) {
	lists, err := d.Typed.Discovery().ServerPreferredNamespacedResources()
	if err != nil {
		return nil, fmt.Errorf("discovering the namespaced resources: %w", err)
	}
	verbs := discovery.SupportsAllVerbs{Verbs: []string{"list", "deletecollection"}}
	set, err := discovery.GroupVersionResources(discovery.FilteredBy(verbs, lists))
	if err != nil {
		return nil, fmt.Errorf("discovering the namespaced resources: %w", err)
	}
	delete(set, pods())
	rest := slices.SortedFunc(maps.Keys(set), func(a, b schema.GroupVersionResource) int {
		return strings.Compare(a.String(), b.String())
	})
	return append([]schema.GroupVersionResource{pods()}, rest...), nil
}
