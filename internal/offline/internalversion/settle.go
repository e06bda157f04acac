package internalversion

import (
	appsv1 "k8s.io/api/apps/v1"
	appsv1beta1 "k8s.io/api/apps/v1beta1"
	appsv1beta2 "k8s.io/api/apps/v1beta2"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Settle makes of an object what is left of it when it has been kube-apiserver's
// internal type and is of its own version again. The object should have its
// defaults. It is changed in place, with all that it shares with others: it has to
// be the caller's own. Objects of which nothing is known, nil and unstructured ones
// among them, stay as they are. Settling twice is the same as once.
func Settle(object runtime.Object) {
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
	case *appsv1beta2.DaemonSet:
		templateGeneration(o)
	case *appsv1.StatefulSet:
		claims(o.Spec.VolumeClaimTemplates)
		partition(o.Spec.UpdateStrategy.RollingUpdate)
	case *appsv1beta2.StatefulSet:
		claims(o.Spec.VolumeClaimTemplates)
	case *appsv1beta1.StatefulSet:
		claims(o.Spec.VolumeClaimTemplates)
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

// podCIDRs has a node's one range be the first of all. The internal type has only
// the list.
//
// Compat: clients that know the one alone are believed, and the list is replaced
// when it disagrees.
func podCIDRs(s *corev1.NodeSpec) {
	switch {
	case s.PodCIDR == "" && len(s.PodCIDRs) > 0:
		s.PodCIDR = s.PodCIDRs[0]
	case s.PodCIDR != "" && (len(s.PodCIDRs) == 0 || s.PodCIDRs[0] != s.PodCIDR):
		s.PodCIDRs = []string{s.PodCIDR}
	}
}
