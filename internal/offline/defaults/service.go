package defaults

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func service(s *corev1.Service) {
	spec := &s.Spec
	fill(&spec.Type, corev1.ServiceTypeClusterIP)
	affinity(spec)
	each(spec.Ports, servicePort)
	if isExternal(spec) {
		fill(&spec.ExternalTrafficPolicy, corev1.ServiceExternalTrafficPolicyCluster)
	}
	switch spec.Type {
	case corev1.ServiceTypeClusterIP, corev1.ServiceTypeNodePort, corev1.ServiceTypeLoadBalancer:
		setOnce(&spec.InternalTrafficPolicy, corev1.ServiceInternalTrafficPolicyCluster)
	}
	if spec.Type == corev1.ServiceTypeLoadBalancer {
		setOnce(&spec.AllocateLoadBalancerNodePorts, true)
		each(s.Status.LoadBalancer.Ingress, loadBalancer)
	}
}

// affinity has a client come back to the same pod for three hours, if at all.
//
// Compat: the configuration of the affinity of a service without affinity is dropped.
func affinity(s *corev1.ServiceSpec) {
	fill(&s.SessionAffinity, corev1.ServiceAffinityNone)
	switch s.SessionAffinity {
	case corev1.ServiceAffinityNone:
		s.SessionAffinityConfig = nil
	case corev1.ServiceAffinityClientIP:
		setOnce(&s.SessionAffinityConfig, corev1.SessionAffinityConfig{})
		setOnce(&s.SessionAffinityConfig.ClientIP, corev1.ClientIPConfig{})
		setOnce(&s.SessionAffinityConfig.ClientIP.TimeoutSeconds,
			corev1.DefaultClientIPServiceAffinitySeconds)
	}
}

func servicePort(p *corev1.ServicePort) {
	fill(&p.Protocol, corev1.ProtocolTCP)
	if p.TargetPort == intstr.FromInt32(0) || p.TargetPort == intstr.FromString("") {
		p.TargetPort = intstr.FromInt32(p.Port)
	}
}

// isExternal reports whether clients outside of the cluster can reach the service.
func isExternal(s *corev1.ServiceSpec) bool {
	return s.Type == corev1.ServiceTypeLoadBalancer || s.Type == corev1.ServiceTypeNodePort ||
		s.Type == corev1.ServiceTypeClusterIP && len(s.ExternalIPs) > 0
}

func loadBalancer(i *corev1.LoadBalancerIngress) {
	if i.IP != "" {
		setOnce(&i.IPMode, corev1.LoadBalancerIPModeVIP)
	}
}

func endpointSlice(s *discoveryv1.EndpointSlice) {
	each(s.Ports, func(p *discoveryv1.EndpointPort) { endpointPort(&p.Name, &p.Protocol) })
}

// endpointPort writes out that a port has no name.
func endpointPort(name **string, protocol **corev1.Protocol) {
	setOnce(name, "")
	setOnce(protocol, corev1.ProtocolTCP)
}
