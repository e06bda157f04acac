package registry

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestAssignPodConditions: a pod has one condition of a type.
func TestAssignPodConditions(t *testing.T) {
	t.Parallel()
	other := corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionFalse}
	waits := corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable}
	scheduled := corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionTrue}
	type test struct {
		testtable.Row
		before, want []corev1.PodCondition
	}
	testtable.Run(t, []test{
		{testtable.Row{"none", "the condition is new"}, []corev1.PodCondition{other}, []corev1.PodCondition{other, scheduled}},
		{testtable.Row{"unschedulable", "the condition is replaced"}, []corev1.PodCondition{waits, other}, []corev1.PodCondition{scheduled, other}},
	}, func(t *testing.T, r test) {
		pod, err := assignPod(&corev1.Pod{Status: corev1.PodStatus{Conditions: r.before}}, &corev1.Binding{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range pod.Status.Conditions {
			pod.Status.Conditions[i].LastTransitionTime = metav1.Time{}
		}
		if diff := cmp.Diff(r.want, pod.Status.Conditions); diff != "" {
			t.Errorf("conditions (-want +got):\n%s", diff)
		}
	})
}

// TestQOSClass: the resources of a pod count instead of those of its containers.
func TestQOSClass(t *testing.T) {
	t.Parallel()
	list := func(cpu, memory string) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory)}
	}
	equal := corev1.ResourceRequirements{Requests: list("1", "1Gi"), Limits: list("1", "1Gi")}
	less := corev1.ResourceRequirements{Requests: list("1", "1Gi"), Limits: list("2", "1Gi")}
	none := corev1.ResourceRequirements{}
	type test struct {
		testtable.Row
		pod        *corev1.ResourceRequirements
		containers []corev1.ResourceRequirements
		want       corev1.PodQOSClass
	}
	testtable.Run(t, []test{
		{testtable.Row{"equal", "all containers have what they request"}, nil, []corev1.ResourceRequirements{equal, equal}, corev1.PodQOSGuaranteed},
		{testtable.Row{"one without", "it may use more"}, nil, []corev1.ResourceRequirements{equal, none}, corev1.PodQOSBurstable},
		{testtable.Row{"none", "nothing is requested"}, nil, []corev1.ResourceRequirements{none}, corev1.PodQOSBestEffort},
		{testtable.Row{"equal pod", "the containers share it"}, &equal, []corev1.ResourceRequirements{none, less}, corev1.PodQOSGuaranteed},
		{testtable.Row{"pod with less", "it may use more"}, &less, []corev1.ResourceRequirements{equal}, corev1.PodQOSBurstable},
		{testtable.Row{"empty pod", "kube-apiserver checks only whether the field is there"}, &none, []corev1.ResourceRequirements{equal}, corev1.PodQOSBestEffort},
	}, func(t *testing.T, r test) {
		spec := corev1.PodSpec{Resources: r.pod}
		for _, c := range r.containers {
			spec.Containers = append(spec.Containers, corev1.Container{Resources: c})
		}
		if got := qosClass(spec); got != r.want {
			t.Errorf("got %s, want %s", got, r.want)
		}
	})
}
