package apiserver

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// TestNoPods: a server that is meant for people tells them, once for each kind,
// that no pods will appear. One in a test does not.
func TestNoPods(t *testing.T) {
	t.Parallel()
	const text = "this API server runs no controllers: it creates no pods for a "
	var all heard
	for _, kind := range []string{"CronJob", "DaemonSet", "Deployment", "Job", "ReplicaSet", "ReplicationController", "StatefulSet"} {
		all = append(all, text+kind)
	}
	for _, warn := range []bool{false, true} {
		var got heard
		config := start(t, Config{WarnNoPods: warn}).ClientConfig()
		config.WarningHandler = &got
		for _, name := range []string{"first", "second"} {
			createEverything(t, config, name)
		}
		slices.Sort(got)
		want := all
		if !warn {
			want = nil
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("WarnNoPods is %t: warnings (-want, +got):\n%s", warn, diff)
		}
	}
}

// createEverything creates and updates an object of each kind of workload, and
// some of others, the Deployment with server-side apply.
func createEverything(t *testing.T, config *rest.Config, name string) {
	t.Helper()
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, plural := range []string{
		"configmaps", "cronjobs", "daemonsets", "deployments", "jobs", "pods", "replicasets",
		"replicationcontrollers", "statefulsets",
	} {
		r := find(t, plural)
		objects := client.Resource(r.GroupVersion().WithResource(plural)).Namespace("default")
		object := sample(t, r, name)
		if plural == "deployments" {
			_, err = objects.Apply(t.Context(), name, object, metav1.ApplyOptions{FieldManager: "test"})
		} else {
			_, err = objects.Create(t.Context(), object, metav1.CreateOptions{})
		}
		if err != nil {
			t.Fatalf("%s: %v", plural, err)
		}
		object.SetLabels(map[string]string{"changed": "yes"})
		if _, err := objects.Apply(t.Context(), name, object, metav1.ApplyOptions{FieldManager: "other", Force: true}); err != nil {
			t.Fatalf("%s: %v", plural, err)
		}
	}
}
