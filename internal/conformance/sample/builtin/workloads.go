package builtin

import (
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// hintWorkloads is about what makes pods, and what counts them.
func hintWorkloads(part any) {
	switch p := part.(type) {
	case *appsv1.ReplicaSetSpec:
		fillTemplate(&p.Template)
	case *corev1.ReplicationControllerSpec:
		p.Selector, p.Template = labels(), &corev1.PodTemplateSpec{}
		fillTemplate(p.Template)
	case *batchv1.JobSpec:
		p.Template.Spec.RestartPolicy = corev1.RestartPolicyNever // Always is none of a Job's
	case *batchv1.CronJobSpec:
		p.Schedule = "*/5 * * * *"
	case *autoscalingv1.CrossVersionObjectReference:
		p.APIVersion, p.Kind = "apps/v1", "Deployment"
	case *autoscalingv2.CrossVersionObjectReference:
		p.APIVersion, p.Kind = "apps/v1", "Deployment"
	case *policyv1.PodDisruptionBudgetSpec:
		p.MinAvailable = new(intstr.FromInt32(1))
		p.Selector = &metav1.LabelSelector{MatchLabels: labels()}
	}
}
