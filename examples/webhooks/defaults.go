package webhooks

import (
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
)

// teamLabel is the label that names the owner of a pod.
const teamLabel = "team"

// fillIn sets defaults: the label team, from the name of the namespace, and a
// seccomp profile. It does not change what is set, so it is idempotent.
func fillIn(q *question) *verdict {
	if q.pod == nil || isMirror(q.pod) {
		return &verdict{}
	}
	v := &verdict{patch: label(q.pod, teamLabel, q.Namespace)}
	if q.Operation == admissionv1.Create { // most of a spec is immutable later
		v.patch = append(v.patch, confine(q.pod)...)
	}
	return v
}

// label sets a label, unless the pod has it.
func label(pod *corev1.Pod, key, value string) []operation {
	switch _, has := pod.Labels[key]; {
	case has:
		return nil
	case pod.Labels == nil:
		// The map does not exist.
		return []operation{add("/metadata/labels", map[string]string{key: value})}
	}
	return []operation{add("/metadata/labels/"+key, value)}
}

// confine sets the default seccomp profile of the container runtime, unless the
// pod has one or runs on Windows, which has none.
func confine(pod *corev1.Pod) []operation {
	profile := &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault}
	switch security := pod.Spec.SecurityContext; {
	case pod.Spec.OS != nil && pod.Spec.OS.Name == corev1.Windows:
		return nil
	case security == nil:
		return []operation{add("/spec/securityContext",
			corev1.PodSecurityContext{SeccompProfile: profile})}
	case security.SeccompProfile == nil:
		return []operation{add("/spec/securityContext/seccompProfile", profile)}
	}
	return nil
}

// isMirror reports whether a pod mirrors a static pod of a kubelet, which would
// ignore changes.
func isMirror(pod *corev1.Pod) bool {
	_, mirror := pod.Annotations[corev1.MirrorPodAnnotationKey]
	return mirror
}
