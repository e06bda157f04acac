package defaults

import corev1 "k8s.io/api/core/v1"

func probe(p *corev1.Probe) {
	number(&p.TimeoutSeconds, 1)
	number(&p.PeriodSeconds, 10)
	number(&p.SuccessThreshold, 1)
	number(&p.FailureThreshold, 3)
	some(p.HTTPGet, httpGet)
	some(p.GRPC, func(g *corev1.GRPCAction) { setOnce(&g.Service, "") })
}

func lifecycle(l *corev1.Lifecycle) {
	some(l.PostStart, handler)
	some(l.PreStop, handler)
}

func handler(h *corev1.LifecycleHandler) {
	some(h.HTTPGet, httpGet)
}

func httpGet(a *corev1.HTTPGetAction) {
	fill(&a.Path, "/")
	fill(&a.Scheme, corev1.URISchemeHTTP)
}
