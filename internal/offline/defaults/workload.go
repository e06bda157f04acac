package defaults

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func deployment(d *appsv1.Deployment) {
	spec := &d.Spec
	setOnce(&spec.Replicas, 1)
	setOnce(&spec.RevisionHistoryLimit, 10)
	setOnce(&spec.ProgressDeadlineSeconds, 600)
	fill(&spec.Strategy.Type, appsv1.RollingUpdateDeploymentStrategyType)
	if spec.Strategy.Type == appsv1.RollingUpdateDeploymentStrategyType {
		setOnce(&spec.Strategy.RollingUpdate, appsv1.RollingUpdateDeployment{})
		setOnce(&spec.Strategy.RollingUpdate.MaxUnavailable, intstr.FromString("25%"))
		setOnce(&spec.Strategy.RollingUpdate.MaxSurge, intstr.FromString("25%"))
	}
	podTemplate(&spec.Template)
}

func replicaSet(r *appsv1.ReplicaSet) {
	setOnce(&r.Spec.Replicas, 1)
	podTemplate(&r.Spec.Template)
}

func daemonSet(d *appsv1.DaemonSet) {
	spec := &d.Spec
	setOnce(&spec.RevisionHistoryLimit, 10)
	fill(&spec.UpdateStrategy.Type, appsv1.RollingUpdateDaemonSetStrategyType)
	if spec.UpdateStrategy.Type == appsv1.RollingUpdateDaemonSetStrategyType {
		setOnce(&spec.UpdateStrategy.RollingUpdate, appsv1.RollingUpdateDaemonSet{})
		setOnce(&spec.UpdateStrategy.RollingUpdate.MaxUnavailable, intstr.FromInt32(1))
		setOnce(&spec.UpdateStrategy.RollingUpdate.MaxSurge, intstr.FromInt32(0))
	}
	podTemplate(&spec.Template)
}

func statefulSet(s *appsv1.StatefulSet) {
	spec := &s.Spec
	setOnce(&spec.Replicas, 1)
	setOnce(&spec.RevisionHistoryLimit, 10)
	fill(&spec.PodManagementPolicy, appsv1.OrderedReadyPodManagement)
	statefulSetUpdate(&spec.UpdateStrategy)
	setOnce(&spec.PersistentVolumeClaimRetentionPolicy,
		appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{})
	fill(&spec.PersistentVolumeClaimRetentionPolicy.WhenDeleted,
		appsv1.RetainPersistentVolumeClaimRetentionPolicyType)
	fill(&spec.PersistentVolumeClaimRetentionPolicy.WhenScaled,
		appsv1.RetainPersistentVolumeClaimRetentionPolicyType)
	each(spec.VolumeClaimTemplates, claim)
	podTemplate(&spec.Template)
}

// statefulSetUpdate completes the parameters of rolling updates.
//
// Compat: unlike other workloads, a StatefulSet that names the strategy and
// leaves out the parameters gets none.
func statefulSetUpdate(u *appsv1.StatefulSetUpdateStrategy) {
	if u.Type == "" {
		u.Type = appsv1.RollingUpdateStatefulSetStrategyType
		setOnce(&u.RollingUpdate, appsv1.RollingUpdateStatefulSetStrategy{})
	}
	if u.Type == appsv1.RollingUpdateStatefulSetStrategyType && u.RollingUpdate != nil {
		setOnce(&u.RollingUpdate.Partition, 0)
		setOnce(&u.RollingUpdate.MaxUnavailable, intstr.FromInt32(1))
	}
}

// replicationController also takes its labels and its selector from the
// template, as no later workload does.
func replicationController(r *corev1.ReplicationController) {
	setOnce(&r.Spec.Replicas, 1)
	some(r.Spec.Template, func(t *corev1.PodTemplateSpec) {
		inherit(&r.Spec.Selector, t.Labels)
		inherit(&r.Labels, t.Labels)
		podTemplate(t)
	})
}
