package internalversion

import (
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"example.com/gatehouse/internal/offline/convert"
)

// templateGeneration annotates a DaemonSet with a number that is a field of the
// internal type, and cannot be left out there.
//
// Compat: mutating webhooks see a zero in every DaemonSet that is created. The
// server counts from one, but later.
func templateGeneration(d metav1.Object) {
	annotations := d.GetAnnotations()
	if _, ok := annotations[appsv1.DeprecatedTemplateGeneration]; ok {
		return
	}
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[appsv1.DeprecatedTemplateGeneration] = "0"
	d.SetAnnotations(annotations)
}

// claims sets the kind and the apiVersion of nested claims.
//
// Compat: of all nested objects, only claims have them.
func claims(all []corev1.PersistentVolumeClaim) {
	for i := range all {
		all[i].SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("PersistentVolumeClaim"))
	}
}

// What follows is for workloads with the parameters of a strategy that is not
// theirs. They get no defaults for them.
//
// Compat: they get zeros, because the internal types cannot leave them out.

func deploymentSteps(r *appsv1.RollingUpdateDeployment) {
	if r != nil {
		setOnce(&r.MaxUnavailable, intstr.FromInt32(0))
		setOnce(&r.MaxSurge, intstr.FromInt32(0))
	}
}

func daemonSetSteps(r *appsv1.RollingUpdateDaemonSet) {
	if r != nil {
		setOnce(&r.MaxUnavailable, intstr.FromInt32(0))
		setOnce(&r.MaxSurge, intstr.FromInt32(0))
	}
}

func partition(r *appsv1.RollingUpdateStatefulSetStrategy) {
	if r != nil {
		setOnce(&r.Partition, 0)
	}
}

// autoscaler writes metrics where v1 has them: that of the CPU into its field,
// 80% if there is no metric at all, and the others, and all that was measured,
// into annotations. The internal type is that of v2, to which package convert
// knows the way. An object that has no way there or back stays as it is.
func autoscaler(a *autoscalingv1.HorizontalPodAutoscaler) {
	const kind = "HorizontalPodAutoscaler"
	internal, err := convert.ToVersion(a, autoscalingv2.SchemeGroupVersion.WithKind(kind))
	if err != nil {
		return
	}
	back, err := convert.ToVersion(internal, autoscalingv1.SchemeGroupVersion.WithKind(kind))
	if err != nil {
		return
	}
	written := a.TypeMeta
	*a = *back.(*autoscalingv1.HorizontalPodAutoscaler)
	a.TypeMeta = written
}

// setOnce sets a pointer that is nil.
func setOnce[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}
