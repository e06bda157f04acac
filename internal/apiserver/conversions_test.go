package apiserver

import (
	"testing"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"
)

// TestAutoscalers writes in one version and reads in the other.
func TestAutoscalers(t *testing.T) {
	t.Parallel()
	v1, v2 := typed(t, shared).AutoscalingV1().HorizontalPodAutoscalers(own(t)), typed(t, shared).AutoscalingV2().HorizontalPodAutoscalers(own(t))
	old := &autoscalingv1.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Name: "a"},
		Spec: autoscalingv1.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv1.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "a"},
			MaxReplicas:    3, TargetCPUUtilizationPercentage: ptr.To[int32](70),
		},
	}
	must[*autoscalingv1.HorizontalPodAutoscaler](t)(v1.Create(t.Context(), old, metav1.CreateOptions{}))
	read := must[*autoscalingv2.HorizontalPodAutoscaler](t)(v2.Get(t.Context(), "a", metav1.GetOptions{}))
	if len(read.Spec.Metrics) != 1 || *read.Spec.Metrics[0].Resource.Target.AverageUtilization != 70 {
		t.Errorf("got %+v", read.Spec)
	}
	apply := []byte(`{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"a"},"spec":{"maxReplicas":9}}`)
	must[*autoscalingv2.HorizontalPodAutoscaler](t)(v2.Patch(t.Context(), "a", types.ApplyPatchType, apply, metav1.PatchOptions{FieldManager: "m", Force: ptr.To(true)}))
	list := must[*autoscalingv1.HorizontalPodAutoscalerList](t)(v1.List(t.Context(), metav1.ListOptions{}))
	if len(list.Items) != 1 || list.Items[0].Spec.MaxReplicas != 9 || *list.Items[0].Spec.TargetCPUUtilizationPercentage != 70 || list.ResourceVersion == "" {
		t.Errorf("got %+v", list)
	}
}

// TestEvents writes to one of the groups of events, watches the other, and
// selects by the names that fields have there.
func TestEvents(t *testing.T) {
	t.Parallel()
	client := typed(t, shared)
	selected := metav1.ListOptions{FieldSelector: "regarding.name=a,reportingController=c"}
	watched := must[watch.Interface](t)(client.EventsV1().Events(own(t)).Watch(t.Context(), selected))
	defer watched.Stop()
	for _, name := range []string{"a", "b"} {
		event := &corev1.Event{
			ObjectMeta:     metav1.ObjectMeta{Name: name},
			InvolvedObject: corev1.ObjectReference{Kind: "Pod", Name: name, Namespace: own(t)},
			Message:        "what", ReportingController: "c",
		}
		must[*corev1.Event](t)(client.CoreV1().Events(own(t)).Create(t.Context(), event, metav1.CreateOptions{}))
	}
	seen, ok := (<-watched.ResultChan()).Object.(*eventsv1.Event)
	if !ok || seen.Note != "what" || seen.Regarding.Name != "a" {
		t.Errorf("watched %+v", seen)
	}
	list := must[*eventsv1.EventList](t)(client.EventsV1().Events(own(t)).List(t.Context(), selected))
	if len(list.Items) != 1 || list.Items[0].Note != "what" {
		t.Errorf("listed %+v", list)
	}
	list.Items[0].Action = "b"
	must[*eventsv1.Event](t)(client.EventsV1().Events(own(t)).Update(t.Context(), &list.Items[0], metav1.UpdateOptions{}))
	if core := must[*corev1.Event](t)(client.CoreV1().Events(own(t)).Get(t.Context(), "a", metav1.GetOptions{})); core.Action != "b" {
		t.Errorf("got %+v", core)
	}
}

// TestStringData is written and never read.
func TestStringData(t *testing.T) {
	t.Parallel()
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "a"}, StringData: map[string]string{"a": "b"}}
	created := must[*corev1.Secret](t)(typed(t, shared).CoreV1().Secrets(own(t)).Create(t.Context(), secret, metav1.CreateOptions{}))
	if created.StringData != nil || string(created.Data["a"]) != "b" {
		t.Errorf("got %+v", created)
	}
}

// TestJobSelectsItsPods by a label with its UID.
func TestJobSelectsItsPods(t *testing.T) {
	t.Parallel()
	name := seed(t, "jobs")
	job, err := typed(t, shared).BatchV1().Jobs(own(t)).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	selector := must[map[string]string](t)(metav1.LabelSelectorAsMap(job.Spec.Selector))
	if selector["batch.kubernetes.io/controller-uid"] != string(job.UID) || job.Spec.Template.Labels["job-name"] != name {
		t.Errorf("selector %v, labels %v", selector, job.Spec.Template.Labels)
	}
}
