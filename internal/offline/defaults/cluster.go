package defaults

import (
	authenticationv1 "k8s.io/api/authentication/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	certificatesv1beta1 "k8s.io/api/certificates/v1beta1"
	corev1 "k8s.io/api/core/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	resourcev1alpha3 "k8s.io/api/resource/v1alpha3"
	schedulingv1 "k8s.io/api/scheduling/v1"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
)

func priorityClass(c *schedulingv1.PriorityClass) {
	setOnce(&c.PreemptionPolicy, corev1.PreemptLowerPriority)
}

func podGroup(g *schedulingv1beta1.PodGroup) {
	setOnce(&g.Spec.DisruptionMode,
		schedulingv1beta1.DisruptionMode{Single: &schedulingv1beta1.SingleDisruptionMode{}})
}

func podGroupAlpha(g *schedulingv1alpha3.PodGroup) {
	setOnce(&g.Spec.DisruptionMode,
		schedulingv1alpha3.DisruptionMode{Single: &schedulingv1alpha3.SingleDisruptionMode{}})
}

func compositePodGroup(g *schedulingv1alpha3.CompositePodGroup) {
	setOnce(
		&g.Spec.DisruptionMode,
		schedulingv1alpha3.CompositeDisruptionMode{
			Single: &schedulingv1alpha3.SingleCompositeDisruptionMode{},
		},
	)
}

func flowSchema(s *flowcontrolv1.FlowSchema) {
	number(&s.Spec.MatchingPrecedence, 1000)
}

func priorityLevel(p *flowcontrolv1.PriorityLevelConfiguration) {
	some(p.Spec.Exempt, func(e *flowcontrolv1.ExemptPriorityLevelConfiguration) {
		setOnce(&e.NominalConcurrencyShares, 0)
		setOnce(&e.LendablePercent, 0)
	})
	some(p.Spec.Limited, func(l *flowcontrolv1.LimitedPriorityLevelConfiguration) {
		setOnce(&l.NominalConcurrencyShares, 30)
		setOnce(&l.LendablePercent, 0)
		some(l.LimitResponse.Queuing, queuing)
	})
}

func queuing(q *flowcontrolv1.QueuingConfiguration) {
	number(&q.HandSize, 8)
	number(&q.Queues, 64)
	number(&q.QueueLengthLimit, 50)
}

func tokenRequest(r *authenticationv1.TokenRequest) {
	setOnce(&r.Spec.ExpirationSeconds, hour)
}

// day is how long a pod's certificate is valid, in seconds.
const day = 24 * hour

func podCertificateRequest(r *certificatesv1.PodCertificateRequest) {
	setOnce(&r.Spec.MaxExpirationSeconds, day)
}

func podCertificateRequestBeta(r *certificatesv1beta1.PodCertificateRequest) {
	setOnce(&r.Spec.MaxExpirationSeconds, day)
}

func poolStatusRequest(r *resourcev1alpha3.ResourcePoolStatusRequest) {
	setOnce(&r.Spec.Limit, 100)
}
