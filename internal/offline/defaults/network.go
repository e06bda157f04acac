package defaults

import (
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
)

func networkPolicy(p *networkingv1.NetworkPolicy) {
	port := func(p *networkingv1.NetworkPolicyPort) { setOnce(&p.Protocol, corev1.ProtocolTCP) }
	if len(p.Spec.PolicyTypes) == 0 {
		p.Spec.PolicyTypes = []networkingv1.PolicyType{networkingv1.PolicyTypeIngress}
		if len(p.Spec.Egress) > 0 {
			p.Spec.PolicyTypes = append(p.Spec.PolicyTypes, networkingv1.PolicyTypeEgress)
		}
	}
	each(p.Spec.Ingress, func(r *networkingv1.NetworkPolicyIngressRule) { each(r.Ports, port) })
	each(p.Spec.Egress, func(r *networkingv1.NetworkPolicyEgressRule) { each(r.Ports, port) })
}

func ingressClass(c *networkingv1.IngressClass) {
	some(c.Spec.Parameters, func(p *networkingv1.IngressClassParametersReference) {
		setOnce(&p.Scope, networkingv1.IngressClassParametersReferenceScopeCluster)
	})
}
