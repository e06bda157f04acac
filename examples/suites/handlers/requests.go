package handlers

import (
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// leastRequests are the requests of a container without any. They are small,
// but not zero for the scheduler.
func leastRequests() corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse("50m"),
		corev1.ResourceMemory: resource.MustParse("64Mi"),
	}
}

// fillIn sets the requests of containers. Its configuration requests
// reinvocation, for containers that other webhooks add.
func fillIn(q *question[corev1.Pod]) *answer {
	a := &answer{}
	if q.object == nil {
		return a
	}
	fillInList(a, "/spec/initContainers", q.object.Spec.InitContainers)
	fillInList(a, "/spec/containers", q.object.Spec.Containers)
	return a
}

// fillInList sets missing requests. The API server has already copied limits to
// requests.
func fillInList(a *answer, path string, containers []corev1.Container) {
	for i, c := range containers {
		requests := leastRequests()
		maps.Copy(requests, c.Resources.Requests)
		if len(requests) == len(c.Resources.Requests) {
			continue
		}
		// The patch replaces "resources", which may be absent.
		c.Resources.Requests = requests
		a.set(fmt.Sprintf("%s/%d/resources", path, i), c.Resources)
	}
}
