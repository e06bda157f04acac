package defaults

import corev1 "k8s.io/api/core/v1"

// container is for the containers of pods and of templates alike.
func container(c *corev1.Container) {
	fill(&c.ImagePullPolicy, pullPolicy(c.Image))
	fill(&c.TerminationMessagePath, corev1.TerminationMessagePathDefault)
	fill(&c.TerminationMessagePolicy, corev1.TerminationMessageReadFile)
	each(c.Ports, func(p *corev1.ContainerPort) { fill(&p.Protocol, corev1.ProtocolTCP) })
	each(c.Env, func(e *corev1.EnvVar) { some(e.ValueFrom, envSource) })
	roundBoth(&c.Resources)
	some(c.LivenessProbe, probe)
	some(c.ReadinessProbe, probe)
	some(c.StartupProbe, probe)
	some(c.Lifecycle, lifecycle)
}

// ephemeralContainer is for containers that were added to a running pod, which
// have the fields of others.
func ephemeralContainer(c *corev1.EphemeralContainer) {
	container((*corev1.Container)(&c.EphemeralContainerCommon))
}

func envSource(s *corev1.EnvVarSource) {
	some(s.FieldRef, fieldRef)
	some(s.FileKeyRef, func(f *corev1.FileKeySelector) { setOnce(&f.Optional, false) })
}

// fieldRef is for references to the pod's own fields, in which v1 has its
// names.
func fieldRef(f *corev1.ObjectFieldSelector) {
	fill(&f.APIVersion, "v1")
}

// hostPorts are for containers in the network of the node, where a port of the
// container is one of the node.
func hostPorts(c *corev1.Container) {
	each(c.Ports, func(p *corev1.ContainerPort) { number(&p.HostPort, p.ContainerPort) })
}
