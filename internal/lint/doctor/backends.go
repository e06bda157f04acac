package doctor

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/inventory"
)

// serviceFact says where the port leads. A target port with a name is that of a container.
func serviceFact(c *lint.Cluster, w *inventory.Webhook) Check {
	if w.Backend.Service == "" {
		return Check{}
	}
	s := c.Service(w.Backend)
	if s == nil {
		return Check{Status: Unknown, Message: "no Service is among the inputs"}
	}
	number := int32(443)
	if p := w.ClientConfig.Service.Port; p != nil {
		number = *p
	}
	i := slices.IndexFunc(s.Spec.Ports, func(p corev1.ServicePort) bool { return p.Port == number })
	if i < 0 {
		return Check{Status: Problem, Message: fmt.Sprintf("%s has no port %d", w.Backend, number)}
	}
	target := s.Spec.Ports[i].TargetPort
	if target.Type == intstr.Int {
		if target.IntVal > 0 {
			number = target.IntVal
		}
		return Check{Status: OK, Message: fmt.Sprintf("%s leads to port %d of the pods", w.Backend, number)}
	}
	return namedPort(w, podsOf(c, s), target.StrVal)
}

// namedPort looks for a port of a container with a name.
func namedPort(w *inventory.Webhook, pods []corev1.PodSpec, name string) Check {
	if len(pods) == 0 {
		return Check{Status: Unknown,
			Message: fmt.Sprintf("%s leads to port %q, and no pods with it are among the inputs", w.Backend, name)}
	}
	for _, pod := range pods {
		for _, container := range serving(&pod) {
			for _, p := range container.Ports {
				if p.Name == name {
					return Check{Status: OK, Message: fmt.Sprintf("%s leads to port %d of container %s, which is named %s",
						w.Backend, p.ContainerPort, container.Name, name)}
				}
			}
		}
	}
	return Check{Status: Problem,
		Message: fmt.Sprintf("%s leads to port %q, and no container of the pods has a port with that name", w.Backend, name),
		Remedy:  "name the port of the container, or set targetPort to its number"}
}

// serving returns the containers of a pod whose ports a Service can lead to: also sidecars,
// which are init containers that run on.
func serving(pod *corev1.PodSpec) []corev1.Container {
	all := slices.Clone(pod.Containers)
	for _, c := range pod.InitContainers {
		if ptr.Deref(c.RestartPolicy, "") == corev1.ContainerRestartPolicyAlways {
			all = append(all, c)
		}
	}
	return all
}

// podsOf returns the pods that a Service selects: those of the templates, and Pods.
func podsOf(c *lint.Cluster, s *corev1.Service) []corev1.PodSpec {
	var all []corev1.PodSpec
	add := func(namespace string, ls map[string]string, spec corev1.PodSpec) {
		if selects(s, namespace, ls) {
			all = append(all, spec)
		}
	}
	for _, o := range inventory.Objects[runtime.Object](c.Inventory) {
		switch w := o.Object.(type) {
		case *appsv1.Deployment:
			add(w.Namespace, w.Spec.Template.Labels, w.Spec.Template.Spec)
		case *appsv1.StatefulSet:
			add(w.Namespace, w.Spec.Template.Labels, w.Spec.Template.Spec)
		case *appsv1.DaemonSet:
			add(w.Namespace, w.Spec.Template.Labels, w.Spec.Template.Spec)
		case *corev1.Pod:
			add(w.Namespace, w.Labels, w.Spec)
		}
	}
	return all
}

func selects(s *corev1.Service, namespace string, ls map[string]string) bool {
	return s.Namespace == namespace && len(s.Spec.Selector) > 0 &&
		labels.SelectorFromSet(s.Spec.Selector).Matches(labels.Set(ls))
}

// podsFact counts the Pods that are ready.
func podsFact(c *lint.Cluster, w *inventory.Webhook) Check {
	s := c.Service(w.Backend)
	if s == nil {
		return Check{}
	}
	ready, found := 0, 0
	for _, p := range inventory.Objects[*corev1.Pod](c.Inventory) {
		if !selects(s, p.Object.Namespace, p.Object.Labels) {
			continue
		}
		found++
		if slices.ContainsFunc(p.Object.Status.Conditions, func(c corev1.PodCondition) bool {
			return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
		}) {
			ready++
		}
	}
	text := fmt.Sprintf("%d of %d are ready", ready, found)
	switch {
	case found == 0 && len(podsOf(c, s)) > 0:
		return Check{Status: Unknown, Message: "no Pod is among the inputs, but what creates some"}
	case found == 0:
		return Check{Status: Unknown, Message: "no Pod that " + w.Backend.String() + " selects is among the inputs"}
	case ready == 0:
		return Check{Status: Problem, Message: text, Remedy: "see why the pods are not ready"}
	}
	return Check{Status: OK, Message: text}
}

// endpointsFact counts the endpoints that are ready.
func endpointsFact(c *lint.Cluster, w *inventory.Webhook) Check {
	if w.Backend.Service == "" {
		return Check{}
	}
	ready, found := 0, 0
	for _, s := range inventory.Objects[*discoveryv1.EndpointSlice](c.Inventory) {
		if s.Object.Namespace != w.Backend.Namespace ||
			s.Object.Labels[discoveryv1.LabelServiceName] != w.Backend.Service {
			continue
		}
		for _, e := range s.Object.Endpoints {
			found++
			if e.Conditions.Ready == nil || *e.Conditions.Ready {
				ready++
			}
		}
	}
	if found == 0 {
		return Check{Status: Unknown, Message: "no EndpointSlice of " + w.Backend.String() + " is among the inputs"}
	}
	return Check{Status: OK, Message: fmt.Sprintf("%d of %d are ready", ready, found)}
}
