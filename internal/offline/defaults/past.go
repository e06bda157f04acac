package defaults

import (
	appsv1beta1 "k8s.io/api/apps/v1beta1"
	appsv1beta2 "k8s.io/api/apps/v1beta2"
	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
)

// What follows is for the versions of workloads that no server of today serves.
// They get what was the same in all of them. What they take for granted beyond
// that differs from one to the next, and is settled when they are converted to
// another version.

func deploymentBeta1(d *appsv1beta1.Deployment) {
	setOnce(&d.Spec.Replicas, 1)
	fill(&d.Spec.Strategy.Type, appsv1beta1.RollingUpdateDeploymentStrategyType)
	podTemplate(&d.Spec.Template)
}

func deploymentBeta2(d *appsv1beta2.Deployment) {
	setOnce(&d.Spec.Replicas, 1)
	fill(&d.Spec.Strategy.Type, appsv1beta2.RollingUpdateDeploymentStrategyType)
	podTemplate(&d.Spec.Template)
}

func deploymentExtensions(d *extensionsv1beta1.Deployment) {
	setOnce(&d.Spec.Replicas, 1)
	fill(&d.Spec.Strategy.Type, extensionsv1beta1.RollingUpdateDeploymentStrategyType)
	podTemplate(&d.Spec.Template)
}

func replicaSetBeta2(r *appsv1beta2.ReplicaSet) {
	setOnce(&r.Spec.Replicas, 1)
	podTemplate(&r.Spec.Template)
}

func replicaSetExtensions(r *extensionsv1beta1.ReplicaSet) {
	setOnce(&r.Spec.Replicas, 1)
	podTemplate(&r.Spec.Template)
}

func daemonSetBeta2(d *appsv1beta2.DaemonSet) {
	setOnce(&d.Spec.RevisionHistoryLimit, 10)
	podTemplate(&d.Spec.Template)
}

func daemonSetExtensions(d *extensionsv1beta1.DaemonSet) {
	setOnce(&d.Spec.RevisionHistoryLimit, 10)
	podTemplate(&d.Spec.Template)
}

func statefulSetBeta1(s *appsv1beta1.StatefulSet) {
	setOnce(&s.Spec.Replicas, 1)
	setOnce(&s.Spec.RevisionHistoryLimit, 10)
	fill(&s.Spec.PodManagementPolicy, appsv1beta1.OrderedReadyPodManagement)
	each(s.Spec.VolumeClaimTemplates, claim)
	podTemplate(&s.Spec.Template)
}

func statefulSetBeta2(s *appsv1beta2.StatefulSet) {
	setOnce(&s.Spec.Replicas, 1)
	setOnce(&s.Spec.RevisionHistoryLimit, 10)
	fill(&s.Spec.PodManagementPolicy, appsv1beta2.OrderedReadyPodManagement)
	each(s.Spec.VolumeClaimTemplates, claim)
	podTemplate(&s.Spec.Template)
}
