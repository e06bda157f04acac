package defaults

import (
	corev1 "k8s.io/api/core/v1"
	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
	networkingv1 "k8s.io/api/networking/v1"
	networkingv1beta1 "k8s.io/api/networking/v1beta1"
)

func networkPolicy(p *networkingv1.NetworkPolicy) {
	port := func(p *networkingv1.NetworkPolicyPort) { setOnce(&p.Protocol, corev1.ProtocolTCP) }
	policyTypes(&p.Spec.PolicyTypes, len(p.Spec.Egress) > 0)
	each(p.Spec.Ingress, func(r *networkingv1.NetworkPolicyIngressRule) { each(r.Ports, port) })
	each(p.Spec.Egress, func(r *networkingv1.NetworkPolicyEgressRule) { each(r.Ports, port) })
}

func networkPolicyBeta(p *extensionsv1beta1.NetworkPolicy) {
	port := func(p *extensionsv1beta1.NetworkPolicyPort) { setOnce(&p.Protocol, corev1.ProtocolTCP) }
	policyTypes(&p.Spec.PolicyTypes, len(p.Spec.Egress) > 0)
	each(p.Spec.Ingress, func(r *extensionsv1beta1.NetworkPolicyIngressRule) { each(r.Ports, port) })
	each(p.Spec.Egress, func(r *extensionsv1beta1.NetworkPolicyEgressRule) { each(r.Ports, port) })
}

// policyTypes has a policy be about what comes in, and about what goes out if it
// has a rule for that.
func policyTypes[T ~string](types *[]T, egress bool) {
	if len(*types) > 0 {
		return
	}
	*types = []T{T(networkingv1.PolicyTypeIngress)}
	if egress {
		*types = append(*types, T(networkingv1.PolicyTypeEgress))
	}
}

func ingressClass(c *networkingv1.IngressClass) {
	some(c.Spec.Parameters, func(p *networkingv1.IngressClassParametersReference) {
		setOnce(&p.Scope, networkingv1.IngressClassParametersReferenceScopeCluster)
	})
}

func ingressClassBeta(c *networkingv1beta1.IngressClass) {
	some(c.Spec.Parameters, func(p *networkingv1beta1.IngressClassParametersReference) {
		setOnce(&p.Scope, networkingv1beta1.IngressClassParametersReferenceScopeCluster)
	})
}
