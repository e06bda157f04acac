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

// Image is the image of all containers.
const Image = "registry.example.com/sample:1.0"

// hintWorkloads sets pods, their controllers and their disruption budgets.
func hintWorkloads(part any) {
	switch p := part.(type) {
	case *corev1.Container:
		p.Image = Image
	case *corev1.EphemeralContainer:
		p.Name, p.Image = "debugger", Image
	case *corev1.PodStatus:
		p.Phase, p.PodIP = corev1.PodRunning, address
	case *corev1.PodTemplateSpec:
		p.Labels = labels()
	case *corev1.PodTemplate:
		fillTemplate(&p.Template)
	case *metav1.LabelSelector:
		p.MatchLabels = labels()
	case *corev1.ConfigMap:
		p.Data = map[string]string{word: word}
	case *corev1.Secret:
		p.Data = map[string][]byte{word: []byte(word)}
	case *appsv1.ReplicaSetSpec:
		fillTemplate(&p.Template)
	case *corev1.ReplicationControllerSpec:
		p.Selector, p.Template = labels(), &corev1.PodTemplateSpec{}
		fillTemplate(p.Template)
	case *batchv1.JobSpec:
		p.Template.Spec.RestartPolicy = corev1.RestartPolicyNever // Jobs reject Always
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

// fillTemplate fills a template that is optional in JSON.
func fillTemplate(t *corev1.PodTemplateSpec) { *t = part[corev1.PodTemplateSpec]() }
