package apiserver

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"
)

// makeNamespace creates a namespace with two configmaps in it.
func makeNamespace(t *testing.T, server *Server, name string, finalizers ...string) {
	t.Helper()
	client := typed(t, server).CoreV1()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	must[*corev1.Namespace](t)(client.Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{}))
	for _, plain := range []string{"a", "b"} {
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: plain, Finalizers: finalizers}}
		must[*corev1.ConfigMap](t)(client.ConfigMaps(name).Create(t.Context(), object, metav1.CreateOptions{}))
	}
}

// awaitGone watches a namespace until it is gone, and returns what it saw of
// it.
func awaitGone(t *testing.T, server *Server, name string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	client := typed(t, server).CoreV1().Namespaces()
	events := must[watch.Interface](t)(client.Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name, ResourceVersion: "0"}))
	defer events.Stop()
	if _, err := client.Get(ctx, name, metav1.GetOptions{}); apierrors.IsNotFound(err) {
		return nil
	}
	var seen []string
	for event := range events.ResultChan() {
		namespace, ok := event.Object.(*corev1.Namespace)
		if !ok {
			t.Fatalf("watched %v", event.Object)
		}
		seen = append(seen, string(event.Type)+" "+string(namespace.Status.Phase))
		if event.Type == watch.Deleted {
			return seen
		}
	}
	t.Fatalf("%s is still there: %v", name, seen)
	return nil
}

// TestNamespaceDeletion shows webhooks, or a plugin instead of them, what is
// deleted with a namespace (I-A8), and no client may create objects meanwhile.
func TestNamespaceDeletion(t *testing.T) {
	t.Parallel()
	w, server := witnessed(t, "")
	client := typed(t, server).CoreV1()
	makeNamespace(t, server, "doomed", "example.com/wait")
	w.told("")
	if err := client.Namespaces().Delete(t.Context(), "doomed", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	namespace := must[*corev1.Namespace](t)(client.Namespaces().Get(t.Context(), "doomed", metav1.GetOptions{}))
	if namespace.Status.Phase != corev1.NamespaceTerminating || namespace.DeletionTimestamp == nil {
		t.Errorf("got %+v", namespace)
	}
	_, err := client.ConfigMaps("doomed").Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "late"}}, metav1.CreateOptions{})
	wantReason(t, err, metav1.StatusReasonForbidden)
	if err := client.Namespaces().Delete(t.Context(), "doomed", metav1.DeleteOptions{}); err != nil {
		t.Errorf("deleting it again: %v", err)
	}
	for _, name := range []string{"a", "b"} {
		release := []byte(`{"metadata":{"finalizers":null}}`)
		must[*corev1.ConfigMap](t)(client.ConfigMaps("doomed").Patch(t.Context(), name, types.MergePatchType, release, metav1.PatchOptions{}))
	}
	awaitGone(t, server, "doomed")

	all := w.told("")
	for _, want := range []string{
		`validating DELETE namespaces v1.Namespace "doomed" object= old=Namespace options=DeleteOptions`,
		`validating DELETE configmaps v1.ConfigMap "" object= old=ConfigMap options=DeleteOptions`,
		`validating UPDATE namespaces/finalize v1.Namespace "doomed" object=Namespace old=Namespace options=UpdateOptions`,
	} {
		if !slices.Contains(all, want) {
			t.Errorf("plugins have not seen %s; but\n%s", want, strings.Join(all, "\n"))
		}
	}
}

// TestNamespaceFinalize is I-A8: who takes the finalizers off is rid of the
// namespace.
func TestNamespaceFinalize(t *testing.T) {
	t.Parallel()
	client, name := typed(t, shared).CoreV1(), own(t)
	makeNamespace(t, shared, name, "example.com/wait")
	namespace := must[*corev1.Namespace](t)(client.Namespaces().Get(t.Context(), name, metav1.GetOptions{}))
	namespace.Spec.Finalizers = nil
	kept := must[*corev1.Namespace](t)(client.Namespaces().Update(t.Context(), namespace, metav1.UpdateOptions{}))
	if len(kept.Spec.Finalizers) != 1 {
		t.Errorf("an ordinary update took the finalizers off")
	}
	if err := client.Namespaces().Delete(t.Context(), name, metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}); err != nil {
		t.Error(err)
	}
	wrong := metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: ptr.To(types.UID("else"))}}
	wantReason(t, client.Namespaces().Delete(t.Context(), name, wrong), metav1.StatusReasonConflict)
	if still := must[*corev1.Namespace](t)(client.Namespaces().Get(t.Context(), name, metav1.GetOptions{})); still.DeletionTimestamp != nil {
		t.Error("a deletion that was not to be has begun")
	}
	if err := client.Namespaces().Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Error(err)
	}
	namespace.ResourceVersion = ""
	must[*corev1.Namespace](t)(client.Namespaces().Finalize(t.Context(), namespace, metav1.UpdateOptions{}))
	_, err := client.Namespaces().Get(t.Context(), name, metav1.GetOptions{})
	wantReason(t, err, metav1.StatusReasonNotFound)
}

// TestNamespaceDeletedAgain: DELETE of a Terminating namespace lets the controller try again,
// here after a client has added the finalizer that the controller had removed.
func TestNamespaceDeletedAgain(t *testing.T) {
	t.Parallel()
	client, name := typed(t, shared).CoreV1().Namespaces(), own(t)
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	namespace.Spec.Finalizers = []corev1.FinalizerName{"example.com/wait"}
	must[*corev1.Namespace](t)(client.Create(t.Context(), namespace, metav1.CreateOptions{}))
	if err := client.Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the controller does not remove its finalizer", func() bool {
		namespace = must[*corev1.Namespace](t)(client.Get(t.Context(), name, metav1.GetOptions{}))
		return slices.Equal(namespace.Spec.Finalizers, []corev1.FinalizerName{"example.com/wait"})
	})
	namespace.Spec.Finalizers = []corev1.FinalizerName{corev1.FinalizerKubernetes}
	must[*corev1.Namespace](t)(client.Finalize(t.Context(), namespace, metav1.UpdateOptions{}))
	if err := client.Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	awaitGone(t, shared, name)
}

// TestStandardNamespaces are there from the start.
func TestStandardNamespaces(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"default", "kube-system", "kube-public", "kube-node-lease"} {
		namespace := must[*corev1.Namespace](t)(typed(t, shared).CoreV1().Namespaces().Get(t.Context(), name, metav1.GetOptions{}))
		if namespace.Status.Phase != corev1.NamespaceActive || namespace.Labels[corev1.LabelMetadataName] != name {
			t.Errorf("got %+v", namespace)
		}
	}
}

// TestRestart ends a server while a namespace waits, and has another go on;
// which also knows the addresses that services have.
func TestRestart(t *testing.T) {
	t.Parallel()
	config := Config{DataDir: t.TempDir()}
	first := start(t, config)
	makeNamespace(t, first, "doomed", "example.com/wait")
	if err := typed(t, first).CoreV1().Namespaces().Delete(t.Context(), "doomed", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	services := typed(t, first).CoreV1().Services("default")
	before := must[*corev1.Service](t)(services.Create(t.Context(), serviceOf(corev1.ServiceTypeClusterIP, ""), metav1.CreateOptions{}))
	stop(t, first)

	second := start(t, config)
	client := typed(t, second).CoreV1()
	after := must[*corev1.Service](t)(client.Services("default").Create(t.Context(), serviceOf(corev1.ServiceTypeClusterIP, ""), metav1.CreateOptions{}))
	if after.Spec.ClusterIP == before.Spec.ClusterIP {
		t.Errorf("two services have %s", after.Spec.ClusterIP)
	}
	for _, name := range []string{"a", "b"} {
		release := []byte(`{"metadata":{"finalizers":null}}`)
		must[*corev1.ConfigMap](t)(client.ConfigMaps("doomed").Patch(t.Context(), name, types.MergePatchType, release, metav1.PatchOptions{}))
	}
	awaitGone(t, second, "doomed")
}
