package apiserver

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"

	"example.com/gatehouse/internal/testutil/testtable"
)

// background deletes dependents without waiting for them.
func background() metav1.DeleteOptions {
	return metav1.DeleteOptions{PropagationPolicy: ptr.To(metav1.DeletePropagationBackground)}
}

func graceOf(seconds int64) metav1.DeleteOptions {
	return metav1.DeleteOptions{GracePeriodSeconds: &seconds}
}

// makePod creates a pod on a node, or without one, in the test's namespace.
func makePod(t *testing.T, server *Server, name, node string, phase corev1.PodPhase) *corev1.Pod {
	t.Helper()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PodSpec{
		Containers: []corev1.Container{{Name: "a", Image: "a"}}, NodeName: node,
	}}
	pods := typed(t, server).CoreV1().Pods(own(t))
	pod = must[*corev1.Pod](t)(pods.Create(t.Context(), pod, metav1.CreateOptions{}))
	if phase == "" {
		return pod
	}
	pod.Status.Phase = phase
	return must[*corev1.Pod](t)(pods.UpdateStatus(t.Context(), pod, metav1.UpdateOptions{}))
}

// TestGracePeriod deletes pods and checks how long they may go on.
func TestGracePeriod(t *testing.T) {
	t.Parallel()
	const gone = -1
	type test struct {
		row
		node    string
		phase   corev1.PodPhase
		options []metav1.DeleteOptions
		want    int64
	}
	none := metav1.DeleteOptions{}
	rows := []test{
		{row{"default", "that of the pod's spec, which is 30 s by default"}, "n", "", []metav1.DeleteOptions{none}, 30},
		{row{"chosen", "the client may choose another"}, "n", corev1.PodRunning, []metav1.DeleteOptions{graceOf(5)}, 5},
		{row{"negative", "kube-apiserver makes it one second"}, "n", corev1.PodRunning, []metav1.DeleteOptions{graceOf(-5)}, 1},
		{row{"shorter", "a second DELETE may shorten it"}, "n", "", []metav1.DeleteOptions{none, graceOf(7)}, 7},
		{row{"longer", "but not extend it"}, "n", "", []metav1.DeleteOptions{graceOf(7), graceOf(30)}, 7},
		{row{"again", "nor change it without a period"}, "n", "", []metav1.DeleteOptions{graceOf(7), none}, 7},
		{row{"force", "kubectl delete --force --grace-period=0"}, "n", "", []metav1.DeleteOptions{graceOf(0)}, gone},
		{row{"force later", "the same for a Terminating pod"}, "n", "", []metav1.DeleteOptions{none, graceOf(0)}, gone},
		{row{"no node", "no kubelet has started it"}, "", "", []metav1.DeleteOptions{graceOf(30)}, gone},
		{row{"succeeded", "its containers have ended"}, "n", corev1.PodSucceeded, []metav1.DeleteOptions{graceOf(30)}, gone},
		{row{"failed", "its containers have ended"}, "n", corev1.PodFailed, []metav1.DeleteOptions{none}, gone},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		pods := typed(t, shared).CoreV1().Pods(own(t))
		makePod(t, shared, "a", r.node, r.phase)
		for _, options := range r.options {
			if err := pods.Delete(t.Context(), "a", options); err != nil {
				t.Fatal(err)
			}
		}
		pod, err := pods.Get(t.Context(), "a", metav1.GetOptions{})
		if r.want == gone {
			wantReason(t, err, metav1.StatusReasonNotFound)
			return
		}
		if err != nil || pod.DeletionTimestamp == nil || ptr.Deref(pod.DeletionGracePeriodSeconds, gone) != r.want {
			t.Errorf("got %+v (%v), want a grace period of %d s", pod.ObjectMeta, err, r.want)
		}
	})
}

// TestDeletedPod: DELETE returns the pod, and a watch sees it end.
func TestDeletedPod(t *testing.T) {
	t.Parallel()
	client := reach(t, shared, find(t, "pods"))
	events := watchSelected(t, client, own(t))
	makePod(t, shared, "a", "n", "")
	patch := []byte(`{"metadata":{"labels":{"test":"` + own(t) + `"}}}`)
	core := typed(t, shared).CoreV1()
	must[*corev1.Pod](t)(core.Pods(own(t)).Patch(t.Context(), "a", types.MergePatchType, patch, metav1.PatchOptions{}))
	for range 2 {
		deleted := &corev1.Pod{}
		zero := graceOf(1)
		err := core.RESTClient().Delete().Namespace(own(t)).Resource("pods").Name("a").Body(&zero).Do(t.Context()).Into(deleted)
		if err != nil || deleted.Name != "a" || deleted.DeletionTimestamp == nil {
			t.Errorf("got %+v (%v), want the pod", deleted, err)
		}
	}
	if err := core.Pods(own(t)).Delete(t.Context(), "a", graceOf(0)); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"ADDED ", "MODIFIED ", "MODIFIED ", "DELETED "} {
		if got := next(t, events); got != want {
			t.Errorf("watched %q, want %q", got, want)
		}
	}
}

// TestEvictedPod: an eviction is as graceful as a DELETE.
func TestEvictedPod(t *testing.T) {
	t.Parallel()
	client := typed(t, shared)
	pod := makePod(t, shared, "a", "n", "")
	if err := client.PolicyV1().Evictions(own(t)).Evict(t.Context(), &policyv1.Eviction{ObjectMeta: pod.ObjectMeta}); err != nil {
		t.Fatal(err)
	}
	evicted := must[*corev1.Pod](t)(client.CoreV1().Pods(own(t)).Get(t.Context(), "a", metav1.GetOptions{}))
	if ptr.Deref(evicted.DeletionGracePeriodSeconds, 0) != 30 {
		t.Errorf("got %+v, want a grace period of 30 s", evicted.ObjectMeta)
	}
}

// TestPolicies deletes objects on a server without a garbage collector: the
// finalizers that it would remove stay, as with envtest.
func TestPolicies(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		plural  string
		options metav1.DeleteOptions
		want    string
	}
	policy := func(p metav1.DeletionPropagation) metav1.DeleteOptions {
		return metav1.DeleteOptions{PropagationPolicy: &p}
	}
	orphan := func(orphan bool) metav1.DeleteOptions {
		//lint:ignore SA1019 Old clients set it.
		return metav1.DeleteOptions{OrphanDependents: &orphan}
	}
	rows := []test{
		{row{"foreground", "the owner goes last"}, "deployments", policy(metav1.DeletePropagationForeground), metav1.FinalizerDeleteDependents},
		{row{"orphan", "the dependents stay"}, "deployments", policy(metav1.DeletePropagationOrphan), metav1.FinalizerOrphanDependents},
		{row{"background", "the dependents go later"}, "deployments", background(), ""},
		{row{"default", "which is background for most kinds"}, "configmaps", metav1.DeleteOptions{}, ""},
		{row{"job", "whose dependents stay by default"}, "jobs", metav1.DeleteOptions{}, metav1.FinalizerOrphanDependents},
		{row{"controller", "whose dependents stay by default"}, "replicationcontrollers", metav1.DeleteOptions{}, metav1.FinalizerOrphanDependents},
		{row{"orphanDependents", "what old clients send"}, "configmaps", orphan(true), metav1.FinalizerOrphanDependents},
		{row{"no orphans", "what old clients send"}, "jobs", orphan(false), ""},
		{row{"event", "which is never an owner"}, "events", policy(metav1.DeletePropagationForeground), ""},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		name, client := seed(t, r.plural), reach(t, shared, find(t, r.plural))
		if err := client.Delete(t.Context(), name, r.options); err != nil {
			t.Fatal(err)
		}
		object, err := client.Get(t.Context(), name, metav1.GetOptions{})
		if r.want == "" {
			wantReason(t, err, metav1.StatusReasonNotFound)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := object.GetFinalizers(); len(got) != 1 || got[0] != r.want || object.GetDeletionTimestamp() == nil {
			t.Errorf("got finalizers %q, deleted at %v; want %q", got, object.GetDeletionTimestamp(), r.want)
		}
	})
}

// TestNamespaceConditions has an object with a finalizer and a pod on a node in
// a namespace that is deleted. The status names the first, and the pod goes.
func TestNamespaceConditions(t *testing.T) {
	t.Parallel()
	client, name := typed(t, shared).CoreV1(), own(t)
	makeNamespace(t, shared, name, "example.com/wait")
	makePod(t, shared, "a", "n", corev1.PodRunning)
	events := must[watch.Interface](t)(client.Namespaces().Watch(t.Context(), metav1.ListOptions{FieldSelector: "metadata.name=" + name}))
	defer events.Stop()
	if err := client.Namespaces().Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	found := map[corev1.NamespaceConditionType]string{}
	for event := range events.ResultChan() {
		for _, c := range event.Object.(*corev1.Namespace).Status.Conditions {
			found[c.Type] = string(c.Status) + " " + c.Reason + ": " + c.Message
		}
		if len(found) > 0 {
			break
		}
	}
	for condition, want := range map[corev1.NamespaceConditionType]string{
		corev1.NamespaceDeletionContentFailure: "False ContentDeleted: All content successfully deleted, may be waiting on finalization",
		corev1.NamespaceContentRemaining:       "True SomeResourcesRemain: Some resources are remaining: configmaps. has 2 resource instances",
		corev1.NamespaceFinalizersRemaining:    "True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/wait in 2 resource instances",
	} {
		if found[condition] != want {
			t.Errorf("%s: got %q, want %q", condition, found[condition], want)
		}
	}
	for _, object := range []string{"a", "b"} {
		release := []byte(`{"metadata":{"finalizers":null}}`)
		_, err := client.ConfigMaps(name).Patch(t.Context(), object, types.MergePatchType, release, metav1.PatchOptions{})
		if err != nil && !apierrors.IsNotFound(err) {
			t.Fatal(err)
		}
	}
	awaitGone(t, shared, name)
}

// TestNamespacePodsFirst: as long as a pod waits, everything else stays in a namespace that
// is deleted.
func TestNamespacePodsFirst(t *testing.T) {
	t.Parallel()
	client, name := typed(t, shared).CoreV1(), own(t)
	makeNamespace(t, shared, name)
	makePod(t, shared, "a", "n", corev1.PodRunning)
	patch := func(finalizers string) {
		t.Helper()
		text := []byte(`{"metadata":{"finalizers":` + finalizers + `}}`)
		_, err := client.Pods(name).Patch(t.Context(), "a", types.MergePatchType, text, metav1.PatchOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
	patch(`["example.com/wait"]`)
	if err := client.Namespaces().Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the namespace does not wait", func() bool {
		namespace := must[*corev1.Namespace](t)(client.Namespaces().Get(t.Context(), name, metav1.GetOptions{}))
		return slices.ContainsFunc(namespace.Status.Conditions, func(c corev1.NamespaceCondition) bool {
			return c.Message == "Some resources are remaining: pods. has 1 resource instances"
		})
	})
	must[*corev1.ConfigMap](t)(client.ConfigMaps(name).Get(t.Context(), "a", metav1.GetOptions{}))
	patch("null")
	awaitGone(t, shared, name)
}

// TestOrphanedPods: a client that deletes a job, or all, is warned if it does
// not say what happens to the pods.
func TestOrphanedPods(t *testing.T) {
	t.Parallel()
	name, config := seed(t, "jobs"), shared.ClientConfig()
	var got heard
	config.WarningHandler = &got
	jobs := typedFor(t, config).BatchV1().Jobs(own(t))
	dry := metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}
	for _, err := range []error{
		jobs.Delete(t.Context(), name, dry), jobs.DeleteCollection(t.Context(), dry, metav1.ListOptions{}),
		jobs.Delete(t.Context(), name, background()),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(got) != 2 || !strings.HasPrefix(got[0], "child pods are preserved by default when jobs are deleted; ") {
		t.Errorf("got warnings %q, want one for each of the first two requests", got)
	}
}

// TestSystemPriorityClass cannot be deleted.
func TestSystemPriorityClass(t *testing.T) {
	t.Parallel()
	classes := typed(t, shared).SchedulingV1().PriorityClasses()
	err := classes.Delete(t.Context(), "system-node-critical", metav1.DeleteOptions{})
	wantReason(t, err, metav1.StatusReasonForbidden)
	must[*schedulingv1.PriorityClass](t)(classes.Get(t.Context(), "system-node-critical", metav1.GetOptions{}))
}
