package registry

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"
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

// jobREST is the storage of jobs. A client that does not say what happens to
// the pods gets a warning.
type jobREST struct{ resourceREST }

func newJobREST(r resourceREST) rest.Storage { return jobREST{r} }

// Delete implements rest.GracefulDeleter.
func (j jobREST) Delete(
	ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions,
) (runtime.Object, bool, error) {
	warnOfOrphans(ctx, options)
	return j.resourceREST.Delete(ctx, name, validate, options)
}

// DeleteCollection implements rest.CollectionDeleter.
func (j jobREST) DeleteCollection(
	ctx context.Context, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions,
	selected *internalversion.ListOptions,
) (runtime.Object, error) {
	warnOfOrphans(ctx, options)
	return j.resourceREST.DeleteCollection(ctx, validate, options, selected)
}

// warnOfOrphans has kube-apiserver's text.
func warnOfOrphans(ctx context.Context, options *metav1.DeleteOptions) {
	//lint:ignore SA1019 Old clients set it.
	if options != nil && options.PropagationPolicy == nil && options.OrphanDependents == nil {
		warning.AddWarning(ctx, "", "child pods are preserved by default when jobs are deleted; "+
			"set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to "+
			"suppress this warning")
	}
}

// priorityClassREST is the storage of priority classes. The initial ones cannot
// be deleted.
type priorityClassREST struct{ resourceREST }

func newPriorityClassREST(r resourceREST) rest.Storage { return priorityClassREST{r} }

// Delete implements rest.GracefulDeleter.
func (p priorityClassREST) Delete(
	ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions,
) (runtime.Object, bool, error) {
	for _, class := range initialPriorityClasses() {
		if accessor(class).GetName() == name {
			return nil, false, apierrors.NewForbidden(p.resource.groupResource(), name,
				errors.New("this is a system priority class and cannot be deleted"))
		}
	}
	return p.resourceREST.Delete(ctx, name, validate, options)
}
