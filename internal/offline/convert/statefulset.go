package convert

import (
	appsv1 "k8s.io/api/apps/v1"
	appsv1beta1 "k8s.io/api/apps/v1beta1"
	appsv1beta2 "k8s.io/api/apps/v1beta2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// statefulSets: the oldest version waited for pods to be deleted, and can leave
// out a field of the status.
func statefulSets() []version {
	const observed = ".status.observedGeneration"
	roll := func(hub *appsv1beta1.StatefulSet) {
		unnameClaims(hub.Spec.VolumeClaimTemplates)
		fill(&hub.Spec.UpdateStrategy.Type, appsv1beta1.RollingUpdateStatefulSetStrategyType)
	}
	return []version{
		settled(special(appsv1.SchemeGroupVersion,
			func(from *appsv1.StatefulSet, hub *appsv1beta1.StatefulSet) error {
				hub.Status.ObservedGeneration = &from.Status.ObservedGeneration
				return nil
			},
			func(hub *appsv1beta1.StatefulSet, to *appsv1.StatefulSet) error {
				to.Status.ObservedGeneration = orZero(hub.Status.ObservedGeneration)
				nameClaims(to.Spec.VolumeClaimTemplates)
				return nil
			},
		).but(observed), roll),
		settled(special(appsv1beta2.SchemeGroupVersion,
			func(from *appsv1beta2.StatefulSet, hub *appsv1beta1.StatefulSet) error {
				hub.Status.ObservedGeneration = &from.Status.ObservedGeneration
				return nil
			},
			func(hub *appsv1beta1.StatefulSet, to *appsv1beta2.StatefulSet) error {
				to.Status.ObservedGeneration = orZero(hub.Status.ObservedGeneration)
				nameClaims(to.Spec.VolumeClaimTemplates)
				return nil
			},
		).but(observed), roll),
		settled(special(appsv1beta1.SchemeGroupVersion, nil,
			func(_ *appsv1beta1.StatefulSet, to *appsv1beta1.StatefulSet) error {
				nameClaims(to.Spec.VolumeClaimTemplates)
				return nil
			},
		), func(hub *appsv1beta1.StatefulSet) {
			unnameClaims(hub.Spec.VolumeClaimTemplates)
			fill(&hub.Spec.UpdateStrategy.Type, appsv1beta1.OnDeleteStatefulSetStrategyType)
			label(hub, &hub.Spec.Selector, &hub.Spec.Template)
		}),
	}
}

// nameClaims gives claims their kind.
//
// Compat: of all nested objects, only these say what they are.
func nameClaims(claims []corev1.PersistentVolumeClaim) {
	for i := range claims {
		claims[i].SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("PersistentVolumeClaim"))
	}
}

// unnameClaims makes claims nameless in the hub, as nested objects are.
func unnameClaims(claims []corev1.PersistentVolumeClaim) {
	for i := range claims {
		claims[i].TypeMeta = metav1.TypeMeta{}
	}
}
