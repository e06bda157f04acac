package webhooks

import (
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
)

// teamLabel says whose pod it is.
const teamLabel = "team"

// fillIn gives a pod what it does not say itself: the label team, which is the name of the
// namespace, and a seccomp profile. It changes nothing that is there, so that it comes to
// the same however often it is asked.
func fillIn(q *question) *verdict {
	if q.pod == nil || isMirror(q.pod) {
		return &verdict{}
	}
	v := &verdict{patch: label(q.pod, teamLabel, q.Namespace)}
	if q.Operation == admissionv1.Create { // most of a spec cannot be changed later
		v.patch = append(v.patch, confine(q.pod)...)
	}
	return v
}

// label sets a label that a pod does not have.
func label(pod *corev1.Pod, key, value string) []operation {
	switch _, has := pod.Labels[key]; {
	case has:
		return nil
	case pod.Labels == nil:
		// A patch has to add the map as well.
		return []operation{add("/metadata/labels", map[string]string{key: value})}
	}
	return []operation{add("/metadata/labels/"+key, value)}
}

// confine gives a pod the seccomp profile of its container runtime, unless it has one or
// runs on Windows, where there are none.
func confine(pod *corev1.Pod) []operation {
	profile := &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault}
	switch security := pod.Spec.SecurityContext; {
	case pod.Spec.OS != nil && pod.Spec.OS.Name == corev1.Windows:
		return nil
	case security == nil:
		return []operation{add("/spec/securityContext", corev1.PodSecurityContext{SeccompProfile: profile})}
	case security.SeccompProfile == nil:
		return []operation{add("/spec/securityContext/seccompProfile", profile)}
	}
	return nil
}

// isMirror reports whether a pod only shows what a kubelet runs already, from a file of
// its own. The kubelet would not run what is changed here.
func isMirror(pod *corev1.Pod) bool {
	_, mirror := pod.Annotations[corev1.MirrorPodAnnotationKey]
	return mirror
}
