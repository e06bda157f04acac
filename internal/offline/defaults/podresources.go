package defaults

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"
)

// podResources completes the pod-level resources, if the pod has any. The
// requests of the containers must be complete.
//
//  1. A huge page size without a pod-level limit and request gets the limit of the
//     containers.
//  2. A pod with limits gets the requests of its containers for CPU and memory.
//  3. A resource with a limit and without a request gets the limit as request.
func podResources(p *corev1.Pod) {
	r := p.Spec.Resources
	if r == nil || len(r.Limits)+len(r.Requests) == 0 {
		return
	}
	missing(&r.Limits, hugePageLimits(p))
	if len(r.Limits) == 0 {
		return
	}
	missing(
		&r.Requests,
		overcommitted(resource.AggregateContainerRequests(p, resource.PodResourcesOptions{})),
	)
	missing(&r.Requests, podLevel(r.Limits))
}

// hugePageLimits are the containers' limits of the huge pages that the pod does
// not request itself.
func hugePageLimits(p *corev1.Pod) corev1.ResourceList {
	limits := corev1.ResourceList{}
	for name, quantity := range resource.AggregateContainerLimits(p, resource.PodResourcesOptions{}) {
		if _, asked := p.Spec.Resources.Requests[name]; !asked && isHugePages(name) {
			limits[name] = quantity
		}
	}
	return limits
}

// overcommitted are the resources whose limit may exceed the request of a pod.
func overcommitted(list corev1.ResourceList) corev1.ResourceList {
	kept := corev1.ResourceList{}
	for name, quantity := range podLevel(list) {
		if !isHugePages(name) {
			kept[name] = quantity
		}
	}
	return kept
}

// podLevel are the resources that a pod as a whole may have.
func podLevel(list corev1.ResourceList) corev1.ResourceList {
	kept := corev1.ResourceList{}
	for name, quantity := range list {
		if resource.IsSupportedPodLevelResource(name) {
			kept[name] = quantity
		}
	}
	return kept
}

func isHugePages(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}
