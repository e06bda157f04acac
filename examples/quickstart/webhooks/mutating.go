package webhooks

import (
	"context"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

const (
	// countLabel is the label that holds the number of containers.
	countLabel = "containers"
	// proxyName is the name of the container that is added.
	proxyName = "proxy"
	// proxyImage comes from the registry that checkImages wants.
	proxyImage = "registry.example.com/proxy:1.0"
)

// labelContainers sets a label to the number of containers. It repairs a wrong
// value, so that it gives the right result again after other webhooks have
// added containers; one that runs twice has to.
func labelContainers(_ context.Context, pod *corev1.Pod) answer {
	count := strconv.Itoa(len(pod.Spec.Containers))
	if pod.Labels[countLabel] == count {
		return answer{}
	}
	if len(pod.Labels) == 0 { // there may be no map to add to
		return answer{patch: []operation{add("/metadata/labels", map[string]string{countLabel: count})}}
	}
	return answer{patch: []operation{add("/metadata/labels/"+countLabel, count)}}
}

// injectProxy appends a container, unless there is one of that name already.
func injectProxy(_ context.Context, pod *corev1.Pod) answer {
	isProxy := func(c corev1.Container) bool { return c.Name == proxyName }
	if slices.ContainsFunc(pod.Spec.Containers, isProxy) {
		return answer{}
	}
	proxy := corev1.Container{Name: proxyName, Image: proxyImage}
	if len(pod.Spec.Containers) == 0 {
		// There is no list to append to. The API server will refuse such a pod,
		// but that is better than if the patch could not be applied.
		return answer{patch: []operation{add("/spec/containers", []corev1.Container{proxy})}}
	}
	return answer{patch: []operation{add("/spec/containers/-", proxy)}}
}
