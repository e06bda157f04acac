package defaults

import (
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
)

// namespace labels a namespace with its name, by which selectors find it.
//
// Compat: the server owns the label and replaces any other value.
func namespace(n *corev1.Namespace) {
	if n.Name != "" {
		if n.Labels == nil {
			n.Labels = map[string]string{}
		}
		n.Labels[corev1.LabelMetadataName] = n.Name
	}
	fill(&n.Status.Phase, corev1.NamespaceActive)
}

func secret(s *corev1.Secret) {
	fill(&s.Type, corev1.SecretTypeOpaque)
}

//lint:ignore SA1019 servers still serve it, and still default it.
func endpoints(e *corev1.Endpoints) {
	//lint:ignore SA1019 as above.
	each(e.Subsets, func(s *corev1.EndpointSubset) {
		each(s.Ports, func(p *corev1.EndpointPort) { fill(&p.Protocol, corev1.ProtocolTCP) })
	})
}

// node has all that a node has be for pods.
func node(n *corev1.Node) {
	if n.Status.Allocatable == nil {
		missing(&n.Status.Allocatable, n.Status.Capacity)
	}
	round(n.Status.Capacity, n.Status.Allocatable)
}

func limitRange(l *corev1.LimitRange) {
	each(l.Spec.Limits, func(i *corev1.LimitRangeItem) {
		if i.Type == corev1.LimitTypeContainer {
			limitContainers(i)
		}
		round(i.Max, i.Min, i.Default, i.DefaultRequest, i.MaxLimitRequestRatio)
	})
}

// limitContainers sets a missing Default to Max, and a missing DefaultRequest to
// Default, or else to Min.
func limitContainers(i *corev1.LimitRangeItem) {
	missing(&i.Default, i.Max)
	missing(&i.DefaultRequest, i.Default)
	missing(&i.DefaultRequest, i.Min)
}

func resourceQuota(q *corev1.ResourceQuota) {
	round(q.Spec.Hard, q.Status.Hard, q.Status.Used)
}

func runtimeClass(c *nodev1.RuntimeClass) {
	some(c.Overhead, func(o *nodev1.Overhead) { round(o.PodFixed) })
}
