package registry

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
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
