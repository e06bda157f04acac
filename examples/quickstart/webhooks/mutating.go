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
	// proxyImage comes from the registry that checkImages requires.
	proxyImage = "registry.example.com/proxy:1.0"
)

// labelContainers sets a label to the number of containers. It corrects a wrong
// value, because it may run again after other webhooks have added containers.
func labelContainers(_ context.Context, pod *corev1.Pod) answer {
	count := strconv.Itoa(len(pod.Spec.Containers))
	if pod.Labels[countLabel] == count {
		return answer{}
	}
	if len(pod.Labels) == 0 { // the map may not exist
		return answer{patch: []operation{add("/metadata/labels", map[string]string{countLabel: count})}}
	}
	return answer{patch: []operation{add("/metadata/labels/"+countLabel, count)}}
}

// injectProxy appends a container, unless one of that name exists.
func injectProxy(_ context.Context, pod *corev1.Pod) answer {
	isProxy := func(c corev1.Container) bool { return c.Name == proxyName }
	if slices.ContainsFunc(pod.Spec.Containers, isProxy) {
		return answer{}
	}
	proxy := corev1.Container{Name: proxyName, Image: proxyImage}
	if len(pod.Spec.Containers) == 0 {
		// There is no list to append to. The API server will reject such a pod,
		// but the patch must apply.
		return answer{patch: []operation{add("/spec/containers", []corev1.Container{proxy})}}
	}
	return answer{patch: []operation{add("/spec/containers/-", proxy)}}
}
