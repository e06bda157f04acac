package handlers

import (
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// leastRequests is what a container asks for that does not say. It is little, but the
// scheduler must not take such containers for free.
func leastRequests() corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse("50m"),
		corev1.ResourceMemory: resource.MustParse("64Mi"),
	}
}

// fillIn sets the requests of containers. It also does so for containers that other
// webhooks add after it, which is why it wants to be called again.
func fillIn(q *question[corev1.Pod]) *answer {
	a := &answer{}
	if q.object == nil {
		return a
	}
	fillInList(a, "/spec/initContainers", q.object.Spec.InitContainers)
	fillInList(a, "/spec/containers", q.object.Spec.Containers)
	return a
}

// fillInList sets what containers lack. What has a limit has a request as well: the API server
// has seen to that before.
func fillInList(a *answer, path string, containers []corev1.Container) {
	for i, c := range containers {
		requests := leastRequests()
		maps.Copy(requests, c.Resources.Requests)
		if len(requests) == len(c.Resources.Requests) {
			continue
		}
		// All of it is written, because there may be no "resources" to add to.
		c.Resources.Requests = requests
		a.set(fmt.Sprintf("%s/%d/resources", path, i), c.Resources)
	}
}
