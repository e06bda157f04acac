package registry

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
)

var (
	_ rest.RESTGracefulDeleteStrategy      = strategy{}
	_ rest.GarbageCollectionDeleteStrategy = strategy{}
)

// CheckGracefulDelete implements rest.RESTGracefulDeleteStrategy.
func (s strategy) CheckGracefulDelete(
	_ context.Context, object runtime.Object, options *metav1.DeleteOptions,
) bool {
	if s.resource.gracePeriod == nil || options == nil {
		return false
	}
	options.GracePeriodSeconds = new(s.resource.gracePeriod(object, options.GracePeriodSeconds))
	return true
}

// DefaultGarbageCollectionPolicy implements
// rest.GarbageCollectionDeleteStrategy.
func (s strategy) DefaultGarbageCollectionPolicy(context.Context) rest.GarbageCollectionPolicy {
	if s.resource.deletePolicy == "" {
		return rest.DeleteDependents
	}
	return s.resource.deletePolicy
}

// podGracePeriod implements Resource.gracePeriod. A pod that no kubelet runs is
// deleted at once: it has no node, or has finished.
func podGracePeriod(object runtime.Object, asked *int64) int64 {
	pod := object.(*corev1.Pod)
	finished := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
	if asked == nil {
		asked = pod.Spec.TerminationGracePeriodSeconds
	}
	switch {
	case pod.Spec.NodeName == "" || finished || asked == nil:
		return 0
	case *asked < 0:
		return 1
	default:
		return *asked
	}
}

// returnDeletedObject lets DELETE return the object, as kube-apiserver does for
// some kinds, instead of a Status.
func returnDeletedObject(s *genericregistry.Store) { s.ReturnDeletedObject = true }
