package defaults

import corev1 "k8s.io/api/core/v1"

// pod does for a pod what podSpec does for it and for templates, and before
// that what is for pods alone. What a template leaves out of this is decided
// when a pod is made of it.
func pod(p *corev1.Pod) {
	spec := &p.Spec
	each(spec.InitContainers, requestLimits)
	each(spec.Containers, requestLimits)
	podResources(p)
	setOnce(&spec.EnableServiceLinks, corev1.DefaultEnableServiceLinks)
	if spec.HostNetwork {
		each(spec.InitContainers, hostPorts)
		each(spec.Containers, hostPorts)
	}
	podSpec(spec)
	// Compat: a pod cannot have less than no time, a template can.
	if *spec.TerminationGracePeriodSeconds < 0 {
		*spec.TerminationGracePeriodSeconds = 1
	}
	podStatus(&p.Status)
}

// requestLimits sets the missing requests of a container to its limits.
func requestLimits(c *corev1.Container) {
	missing(&c.Resources.Requests, c.Resources.Limits)
}

// podTemplate is for what is made into pods later.
func podTemplate(t *corev1.PodTemplateSpec) {
	podSpec(&t.Spec)
}

func podSpec(s *corev1.PodSpec) {
	fill(&s.DNSPolicy, corev1.DNSClusterFirst)
	fill(&s.RestartPolicy, corev1.RestartPolicyAlways)
	fill(&s.SchedulerName, corev1.DefaultSchedulerName)
	setOnce(&s.SecurityContext, corev1.PodSecurityContext{})
	setOnce(&s.TerminationGracePeriodSeconds, corev1.DefaultTerminationGracePeriodSeconds)
	serviceAccount(s)
	each(s.Volumes, volume)
	each(s.InitContainers, container)
	each(s.Containers, container)
	each(s.EphemeralContainers, ephemeralContainer)
	round(s.Overhead)
	some(s.Resources, roundBoth)
}

// serviceAccount sets both names of the field to the same value.
//
// Compat: the old name is overwritten, whatever its value, unless it is the only
// one. Up to v1.36 the server's internal type did this; since it has both
// names, v1.37 does it here, and so again after every patch.
func serviceAccount(s *corev1.PodSpec) {
	fill(&s.ServiceAccountName, s.DeprecatedServiceAccount)
	s.DeprecatedServiceAccount = s.ServiceAccountName
}

// podIPs has the one address of old kubelets be the first of all. Compat: they
// know nothing of the list, which is replaced when it disagrees.
func podIPs(s *corev1.PodStatus) {
	if len(s.PodIPs) > 0 {
		fill(&s.PodIP, s.PodIPs[0].IP)
	}
	if s.PodIP != "" && (len(s.PodIPs) == 0 || s.PodIPs[0].IP != s.PodIP) {
		s.PodIPs = []corev1.PodIP{{IP: s.PodIP}}
	}
}

// podStatus rounds what kubelets report.
func podStatus(s *corev1.PodStatus) {
	podIPs(s)
	for _, statuses := range [][]corev1.ContainerStatus{
		s.InitContainerStatuses, s.ContainerStatuses, s.EphemeralContainerStatuses,
	} {
		each(statuses, func(c *corev1.ContainerStatus) {
			round(c.AllocatedResources)
			some(c.Resources, roundBoth)
		})
	}
	round(s.AllocatedResources)
	some(s.Resources, roundBoth)
}
