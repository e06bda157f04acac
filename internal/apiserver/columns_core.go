package apiserver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func namespaceColumns() []column {
	return aged(text("Status", func(n *corev1.Namespace) string { return string(n.Status.Phase) }))
}

func configMapColumns() []column {
	return aged(number("Data", func(c *corev1.ConfigMap) int { return len(c.Data) + len(c.BinaryData) }))
}

func secretColumns() []column {
	return aged(
		text("Type", func(s *corev1.Secret) string { return string(s.Type) }),
		number("Data", func(s *corev1.Secret) int { return len(s.Data) }),
	)
}

func serviceAccountColumns() []column {
	return aged(number("Secrets", func(a *corev1.ServiceAccount) int { return len(a.Secrets) }))
}

func serviceColumns() []column {
	return append(aged(
		text("Type", func(s *corev1.Service) string { return string(s.Spec.Type) }),
		text("Cluster-IP", func(s *corev1.Service) string { return cmp.Or(s.Spec.ClusterIP, none) }),
		text("External-IP", externalAddresses),
		text("Port(s)", servicePorts),
	), wide(text("Selector", func(s *corev1.Service) string { return labelText(s.Spec.Selector) }))...)
}

func externalAddresses(s *corev1.Service) string {
	if s.Spec.Type == corev1.ServiceTypeExternalName {
		return s.Spec.ExternalName
	}
	var found []string
	for _, ingress := range s.Status.LoadBalancer.Ingress {
		found = append(found, cmp.Or(ingress.IP, ingress.Hostname))
	}
	found = append(found, s.Spec.ExternalIPs...)
	if len(found) == 0 && s.Spec.Type == corev1.ServiceTypeLoadBalancer {
		return "<pending>"
	}
	return joined(found)
}

func servicePorts(s *corev1.Service) string {
	var found []string
	for _, port := range s.Spec.Ports {
		number := fmt.Sprint(port.Port)
		if port.NodePort > 0 {
			number += fmt.Sprintf(":%d", port.NodePort)
		}
		found = append(found, number+"/"+string(port.Protocol))
	}
	return joined(found)
}

func endpointsColumns() []column {
	//lint:ignore SA1019 servers still serve it.
	return aged(text("Endpoints", func(e *corev1.Endpoints) string {
		var found []string
		for _, subset := range e.Subsets {
			for _, address := range subset.Addresses {
				found = append(found, withPorts(address.IP, subset.Ports)...)
			}
		}
		return few(found)
	}))
}

func withPorts(address string, ports []corev1.EndpointPort) []string {
	if len(ports) == 0 {
		return []string{address}
	}
	var found []string
	for _, port := range ports {
		found = append(found, fmt.Sprintf("%s:%d", address, port.Port))
	}
	return found
}

// eventColumns begin with when, which is what matters of an event.
func eventColumns() []column {
	first := func(e *corev1.Event) string { return since(cmpTime(e.FirstTimestamp, metav1.Time(e.EventTime))) }
	last := func(e *corev1.Event) string {
		if e.Series != nil {
			return since(metav1.Time(e.Series.LastObservedTime))
		}
		return since(cmpTime(e.LastTimestamp, metav1.Time(e.EventTime)))
	}
	count := func(e *corev1.Event) int32 {
		if e.Series != nil {
			return e.Series.Count
		}
		return max(e.Count, 1)
	}
	name := nameColumn()
	columns := []column{
		text("Last Seen", last),
		text("Type", func(e *corev1.Event) string { return e.Type }),
		text("Reason", func(e *corev1.Event) string { return e.Reason }),
		text("Object", func(e *corev1.Event) string {
			return strings.ToLower(e.InvolvedObject.Kind) + "/" + e.InvolvedObject.Name
		}),
	}
	columns = append(columns, wide(
		text("Subobject", func(e *corev1.Event) string { return e.InvolvedObject.FieldPath }),
		text("Source", sourceOf),
	)...)
	columns = append(columns, text("Message", func(e *corev1.Event) string { return strings.TrimSpace(e.Message) }))
	return append(columns, wide(text("First Seen", first), number("Count", count), name)...)
}

func cmpTime(a, b metav1.Time) metav1.Time {
	if a.IsZero() {
		return b
	}
	return a
}

func nodeColumns() []column {
	columns := append(aged(
		text("Status", nodeStatus),
		text("Roles", nodeRoles),
	), text("Version", func(n *corev1.Node) string { return n.Status.NodeInfo.KubeletVersion }))
	return append(columns, wide(
		text("Internal-IP", func(n *corev1.Node) string { return nodeAddress(n, corev1.NodeInternalIP) }),
		text("External-IP", func(n *corev1.Node) string { return nodeAddress(n, corev1.NodeExternalIP) }),
		text("OS-Image", func(n *corev1.Node) string { return cmp.Or(n.Status.NodeInfo.OSImage, unknown) }),
		text("Kernel-Version", func(n *corev1.Node) string { return cmp.Or(n.Status.NodeInfo.KernelVersion, unknown) }),
		text("Container-Runtime", func(n *corev1.Node) string { return cmp.Or(n.Status.NodeInfo.ContainerRuntimeVersion, unknown) }),
	)...)
}

func nodeStatus(n *corev1.Node) string {
	status := "Unknown"
	for _, condition := range n.Status.Conditions {
		switch {
		case condition.Type != corev1.NodeReady:
		case condition.Status == corev1.ConditionTrue:
			status = "Ready"
		default:
			status = "NotReady"
		}
	}
	if n.Spec.Unschedulable {
		status += ",SchedulingDisabled"
	}
	return status
}

func nodeRoles(n *corev1.Node) string {
	var roles []string
	for label, value := range n.Labels {
		if role, ok := strings.CutPrefix(label, "node-role.kubernetes.io/"); ok && role != "" {
			roles = append(roles, role)
		} else if label == "kubernetes.io/role" && value != "" {
			roles = append(roles, value)
		}
	}
	slices.Sort(roles)
	return joined(slices.Compact(roles))
}

func nodeAddress(n *corev1.Node, kind corev1.NodeAddressType) string {
	for _, address := range n.Status.Addresses {
		if address.Type == kind {
			return address.Address
		}
	}
	return none
}

// labelText writes labels as selectors are written.
func labelText(labels map[string]string) string {
	return cmp.Or(metav1.FormatLabelSelector(&metav1.LabelSelector{MatchLabels: labels}), none)
}

func joined(values []string) string { return cmp.Or(strings.Join(values, ","), none) }

// few shows the first three.
func few(values []string) string {
	if more := len(values) - 3; more > 0 {
		return fmt.Sprintf("%s + %d more...", strings.Join(values[:3], ","), more)
	}
	return joined(values)
}
