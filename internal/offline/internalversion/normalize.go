package internalversion

import (
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Normalize applies the changes of kube-apiserver's conversion to the internal
// version and back to an object, in place. The object should have its defaults
// and must belong to the caller. Nil, unstructured and other objects stay as
// they are.
func Normalize(object runtime.Object) {
	switch o := object.(type) {
	case *corev1.Secret:
		secret(o)
	case *corev1.Node:
		podCIDRs(&o.Spec)
	case *appsv1.Deployment:
		deploymentSteps(o.Spec.Strategy.RollingUpdate)
	case *appsv1.DaemonSet:
		templateGeneration(o)
		daemonSetSteps(o.Spec.UpdateStrategy.RollingUpdate)
	case *appsv1.StatefulSet:
		claims(o.Spec.VolumeClaimTemplates)
		partition(o.Spec.UpdateStrategy.RollingUpdate)
	case *autoscalingv1.HorizontalPodAutoscaler:
		autoscaler(o)
	}
}

// secret merges the text that is only ever written into the data, over what the
// data has under the same keys. The internal type has no text.
func secret(s *corev1.Secret) {
	if len(s.StringData) > 0 && s.Data == nil {
		s.Data = make(map[string][]byte, len(s.StringData))
	}
	for key, text := range s.StringData {
		s.Data[key] = []byte(text)
	}
	s.StringData = nil
}

// podCIDRs has a node's one range be the first of all. The internal type has
// only the list.
//
// Compat: the old field takes precedence, and replaces the list if they differ.
func podCIDRs(s *corev1.NodeSpec) {
	switch {
	case s.PodCIDR == "" && len(s.PodCIDRs) > 0:
		s.PodCIDR = s.PodCIDRs[0]
	case s.PodCIDR != "" && (len(s.PodCIDRs) == 0 || s.PodCIDRs[0] != s.PodCIDR):
		s.PodCIDRs = []string{s.PodCIDR}
	}
}
