package apiserver

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"example.com/gatehouse/internal/testutil/testtable"
)

// seed creates the sample of a resource and returns its name.
func seed(t *testing.T, plural string) string {
	t.Helper()
	r := find(t, plural)
	name := nameOf(r, own(t))
	must[*unstructured.Unstructured](t)(reach(t, shared, r).Create(t.Context(), sample(t, r, name), metav1.CreateOptions{}))
	return name
}

// at returns a value in an object, as text.
func at(t *testing.T, object *unstructured.Unstructured, path string) any {
	t.Helper()
	value, _, err := unstructured.NestedFieldNoCopy(object.Object, strings.Split(path, ".")...)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// TestParts changes objects through their subresources and their own endpoints,
// and looks what came of it.
func TestParts(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		plural, subresource, patch string
		path                       string
		want                       any
	}
	const both = `{"spec":{"replicas":5},"status":{"replicas":3},"metadata":{"labels":{"a":"b"},"annotations":{"a":"b"}}}`
	rows := []test{
		{row{"status", "that is what it is for"}, "deployments", "status", both, "status.replicas", int64(3)},
		{row{"status's spec", "who reports the state must not change the wish"}, "deployments", "status", both, "spec.replicas", int64(1)},
		{row{"status's annotation", "kube-apiserver takes metadata here"}, "deployments", "status", both, "metadata.annotations.a", "b"},
		{row{"status's label", "but of Deployments it does not take labels"}, "deployments", "status", both, "metadata.labels.a", nil},
		{row{"other status's label", "of others it does"}, "replicasets", "status", both, "metadata.labels.a", "b"},
		{row{"status does not count", "its change is no new wish"}, "deployments", "status", both, "metadata.generation", int64(1)},
		{row{"main spec", "that is what the endpoint is for"}, "deployments", "", both, "spec.replicas", int64(5)},
		{row{"main status", "who changes the wish must not make up the state"}, "deployments", "", both, "status.replicas", nil},
		{row{"pod's phase", "what kubelets report"}, "pods", "status", `{"status":{"phase":"Running"}}`, "status.phase", "Running"},
		{row{"pod's owner", "old kubelets would lose it"}, "pods", "status", `{"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"a","uid":"b"}]}}`, "metadata.ownerReferences", nil},
		{row{"namespace's phase", "what a controller reports"}, "namespaces", "status", `{"status":{"phase":"Terminating"}}`, "status.phase", "Terminating"},
		{row{"ephemeral container", "debugging adds one"}, "pods", "ephemeralcontainers", `{"spec":{"ephemeralContainers":[{"name":"debug","image":"a"}],"nodeName":"n"}}`, "spec.nodeName", nil},
		{row{"resize", "resources may change there"}, "pods", "resize", `{"spec":{"containers":[{"name":"a","image":"b","resources":{"requests":{"cpu":"1"}}}]}}`, "metadata.generation", int64(2)},
		{row{"volume", "a new claim is not bound"}, "persistentvolumeclaims", "", `{"status":{"phase":"Bound"}}`, "status.phase", "Pending"},
		{row{"node", "which reports itself"}, "nodes", "status", `{"status":{"capacity":{"cpu":"4"}}}`, "status.capacity.cpu", "4"},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		name, client := seed(t, r.plural), reach(t, shared, find(t, r.plural))
		var under []string
		if r.subresource != "" {
			under = append(under, r.subresource)
		}
		patched := must[*unstructured.Unstructured](t)(client.Patch(t.Context(), name, types.StrategicMergePatchType, []byte(r.patch), metav1.PatchOptions{}, under...))
		if diff := cmp.Diff(r.want, at(t, patched, r.path)); diff != "" {
			t.Errorf("%s (-want, +got):\n%s", r.path, diff)
		}
		stored := must[*unstructured.Unstructured](t)(client.Get(t.Context(), name, metav1.GetOptions{}))
		if diff := cmp.Diff(r.want, at(t, stored, r.path)); diff != "" {
			t.Errorf("stored %s (-want, +got):\n%s", r.path, diff)
		}
	})
}

// TestResizedPod looks at all of a pod that has been resized.
func TestResizedPod(t *testing.T) {
	t.Parallel()
	name, pods := seed(t, "pods"), typed(t, shared).CoreV1().Pods(own(t))
	patch := []byte(`{"spec":{"containers":[{"name":"a","image":"b","resources":{"requests":{"cpu":"1"}}}]}}`)
	pod := must[*corev1.Pod](t)(pods.Patch(t.Context(), name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "resize"))
	c := pod.Spec.Containers[0]
	if got := c.Resources.Requests.Cpu().String(); got != "1" || c.Image != "a:1" {
		t.Errorf("requests %s of %s, want 1 of a:1", got, c.Image)
	}
}

// TestBirth checks the status of new objects: the client does not set it.
func TestBirth(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		plural, path string
		want         any
	}
	rows := []test{
		{row{"deployment", "nothing is known yet"}, "deployments", "status.replicas", nil},
		{row{"pod", "it waits for a node"}, "pods", "status.phase", "Pending"},
		{row{"pod's quality", "it follows from the spec"}, "pods", "status.qosClass", "BestEffort"},
		{row{"namespace", "it can be used at once"}, "namespaces", "status.phase", "Active"},
		{row{"namespace's finalizer", "deletion waits for its content"}, "namespaces", "spec.finalizers", []any{"kubernetes"}},
		{row{"node", "it introduces itself"}, "nodes", "status.phase", "wrong"},
		{row{"volume", "it waits for a claim"}, "persistentvolumes", "status.phase", "Pending"},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		object := sample(t, find(t, r.plural), own(t))
		for field, value := range map[string]any{"phase": "wrong", "replicas": int64(3)} {
			if err := unstructured.SetNestedField(object.Object, value, "status", field); err != nil {
				t.Fatal(err)
			}
		}
		created := must[*unstructured.Unstructured](t)(reach(t, shared, find(t, r.plural)).Create(t.Context(), object, metav1.CreateOptions{}))
		if diff := cmp.Diff(r.want, at(t, created, r.path)); diff != "" {
			t.Errorf("%s (-want, +got):\n%s", r.path, diff)
		}
	})
}

// TestOwnersOfParts is about who comes to own what by server-side apply.
func TestOwnersOfParts(t *testing.T) {
	t.Parallel()
	name, client := seed(t, "deployments"), reach(t, shared, find(t, "deployments"))
	apply := func(manager, patch string, under ...string) []metav1.ManagedFieldsEntry {
		options := metav1.PatchOptions{FieldManager: manager, Force: ptr.To(true)}
		body := []byte(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"` + name + `"},` + patch + `}`)
		return must[*unstructured.Unstructured](t)(client.Patch(t.Context(), name, types.ApplyPatchType, body, options, under...)).GetManagedFields()
	}
	const both = `"spec":{"replicas":5},"status":{"replicas":3}`
	apply("main", both)
	entries := apply("reporter", both, "status")
	got := map[string]string{}
	for _, e := range entries {
		if e.Operation == metav1.ManagedFieldsOperationApply {
			got[e.Manager+"/"+e.Subresource] = e.FieldsV1.GetRawString()
		}
	}
	want := map[string]string{"main/": `{"f:spec":{"f:replicas":{}}}`, "reporter/status": `{"f:status":{"f:replicas":{}}}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("owned fields (-want, +got):\n%s", diff)
	}
}

func TestScale(t *testing.T) {
	t.Parallel()
	for _, plural := range []string{"deployments", "replicasets", "statefulsets", "replicationcontrollers"} {
		t.Run(plural, func(t *testing.T) {
			t.Parallel()
			name, client, got := seed(t, plural), reach(t, shared, find(t, plural)), must[*unstructured.Unstructured](t)
			scale := got(client.Get(t.Context(), name, metav1.GetOptions{}, "scale"))
			if scale.GetKind() != "Scale" || at(t, scale, "spec.replicas") != int64(1) || at(t, scale, "status.selector") != "app=a" {
				t.Errorf("got %v", scale)
			}
			if err := unstructured.SetNestedField(scale.Object, int64(4), "spec", "replicas"); err != nil {
				t.Fatal(err)
			}
			updated := got(client.Update(t.Context(), scale, metav1.UpdateOptions{}, "scale"))
			parent := got(client.Get(t.Context(), name, metav1.GetOptions{}))
			if at(t, updated, "spec.replicas") != int64(4) || at(t, parent, "spec.replicas") != int64(4) || parent.GetGeneration() > 2 {
				t.Errorf("scaled to %v, the object is %v", updated, parent)
			}
			_, err := client.Update(t.Context(), scale, metav1.UpdateOptions{}, "scale")
			wantReason(t, err, metav1.StatusReasonConflict)
		})
	}
}

// TestScaleRejected is about Scales that are not stored.
func TestScaleRejected(t *testing.T) {
	t.Parallel()
	name, client := seed(t, "deployments"), typed(t, shared).AppsV1().Deployments(own(t))
	type test struct {
		row
		name, patch string
		want        string
	}
	rows := []test{
		{row{"negative", "less than nothing cannot be"}, name, `{"spec":{"replicas":-1}}`,
			`Scale.autoscaling "` + name + `" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0`},
		{row{"no object", "there is nothing to scale"}, "missing", `{"spec":{"replicas":1}}`, `deployments.apps "missing" not found`},
		{row{"another object", "one of the same name that came later"}, name, `{"metadata":{"uid":"else"},"spec":{"replicas":1}}`,
			`Operation cannot be fulfilled on scales.autoscaling "` + name + `": Precondition failed: UID in precondition: else, UID in object meta: `},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		_, err := client.Patch(t.Context(), r.name, types.MergePatchType, []byte(r.patch), metav1.PatchOptions{}, "scale")
		if got := testtable.Text(err); !strings.HasPrefix(got, r.want) {
			t.Errorf("got  %s\nwant %s…", got, r.want)
		}
	})
}

// TestScaleOwners applies a Scale; the manager then owns the replicas of the
// Deployment, so that the client that applies the Deployment gets a conflict.
func TestScaleOwners(t *testing.T) {
	t.Parallel()
	name, client := seed(t, "deployments"), reach(t, shared, find(t, "deployments"))
	scale := []byte(`{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"` + name + `"},"spec":{"replicas":2}}`)
	must[*unstructured.Unstructured](t)(client.Patch(t.Context(), name, types.ApplyPatchType, scale, metav1.PatchOptions{FieldManager: "scaler", Force: ptr.To(true)}, "scale"))
	whole := []byte(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"` + name + `"},"spec":{"replicas":3}}`)
	_, err := client.Patch(t.Context(), name, types.ApplyPatchType, whole, metav1.PatchOptions{FieldManager: "other"})
	wantReason(t, err, metav1.StatusReasonConflict)
	if got := testtable.Text(err); !strings.Contains(got, `conflict with "scaler" with subresource "scale"`) {
		t.Errorf("got %s", got)
	}
}

func TestBinding(t *testing.T) {
	t.Parallel()
	pods := typed(t, shared).CoreV1().Pods(own(t))
	binding := &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Name: seed(t, "pods"), Annotations: map[string]string{"a": "b"}}, Target: corev1.ObjectReference{Kind: "Node", Name: "foo"}}
	if err := pods.Bind(t.Context(), binding, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}); err != nil {
		t.Error(err)
	}
	if err := pods.Bind(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Error(err)
	}
	pod := must[*corev1.Pod](t)(pods.Get(t.Context(), binding.Name, metav1.GetOptions{}))
	if pod.Spec.NodeName != "foo" || pod.Annotations["a"] != "b" || pod.Status.Conditions[0].Type != corev1.PodScheduled {
		t.Errorf("got %+v", pod)
	}
	wantReason(t, pods.Bind(t.Context(), binding, metav1.CreateOptions{}), metav1.StatusReasonConflict)
	binding.Name = "missing"
	wantReason(t, pods.Bind(t.Context(), binding, metav1.CreateOptions{}), metav1.StatusReasonNotFound)
}

// TestOldBinding posts to the resource that was before the subresource.
func TestOldBinding(t *testing.T) {
	t.Parallel()
	client, name := typed(t, shared).CoreV1(), seed(t, "pods")
	binding := &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Name: name}, Target: corev1.ObjectReference{Name: "foo"}}
	if err := client.RESTClient().Post().Namespace(own(t)).Resource("bindings").Body(binding).Do(t.Context()).Error(); err != nil {
		t.Error(err)
	}
	if pod := must[*corev1.Pod](t)(client.Pods(own(t)).Get(t.Context(), name, metav1.GetOptions{})); pod.Spec.NodeName != "foo" {
		t.Errorf("the pod is on %q, want foo", pod.Spec.NodeName)
	}
}

// TestEviction evicts pods in both versions of the request.
func TestEviction(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		evict func(ctx context.Context, pod metav1.ObjectMeta) error
		want  metav1.StatusReason
	}
	client := typed(t, shared)
	rows := []test{
		{row{"v1", "what clients of today send"}, func(ctx context.Context, pod metav1.ObjectMeta) error {
			return client.PolicyV1().Evictions(pod.Namespace).Evict(ctx, &policyv1.Eviction{ObjectMeta: pod})
		}, metav1.StatusReasonNotFound},
		{row{"v1beta1", "what old clients send"}, func(ctx context.Context, pod metav1.ObjectMeta) error {
			return client.PolicyV1beta1().Evictions(pod.Namespace).Evict(ctx, &policyv1beta1.Eviction{ObjectMeta: pod})
		}, metav1.StatusReasonNotFound},
		{row{"dry run", "the pod stays"}, func(ctx context.Context, pod metav1.ObjectMeta) error {
			dry := &metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}
			return client.PolicyV1().Evictions(pod.Namespace).Evict(ctx, &policyv1.Eviction{ObjectMeta: pod, DeleteOptions: dry})
		}, ""},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		pod := metav1.ObjectMeta{Name: seed(t, "pods"), Namespace: own(t)}
		if err := r.evict(t.Context(), pod); err != nil {
			t.Fatal(err)
		}
		_, err := client.CoreV1().Pods(own(t)).Get(t.Context(), pod.Name, metav1.GetOptions{})
		wantReasonOrNone(t, err, r.want)
	})
}

func wantReasonOrNone(t *testing.T, err error, want metav1.StatusReason) {
	t.Helper()
	if want == "" {
		if err != nil {
			t.Error(err)
		}
		return
	}
	wantReason(t, err, want)
}

// TestTypedScale has client-go read a Scale.
func TestTypedScale(t *testing.T) {
	t.Parallel()
	name, client := seed(t, "statefulsets"), typed(t, shared).AppsV1().StatefulSets(own(t))
	scale := must[*autoscalingv1.Scale](t)(client.GetScale(t.Context(), name, metav1.GetOptions{}))
	if scale.UID == "" || scale.ResourceVersion == "" || scale.Spec.Replicas != 1 {
		t.Errorf("got %+v", scale)
	}
}
