package kinds_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestCanonical(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		resource, want string
	}
	r := taught(t)
	testtable.Run(t, []test{
		{row{"removed group", "no server of this release has it"}, "deployments.extensions", "deployments.extensions"},
		{row{"events", "both groups are served, and hold the same"}, "events", "events.events.k8s.io"},
		{row{"events of their own group", "the same again"}, "events.events.k8s.io", "events.events.k8s.io"},
		{row{"core", "there never was another"}, "pods", "pods"},
		{row{"custom", "custom resources do not move"}, "widgets.example.com", "widgets.example.com"},
		{row{"same name", "of another group altogether"}, "deployments.example.com", "deployments.example.com"},
	}, func(t *testing.T, test test) {
		if got := r.Canonical(schema.ParseGroupResource(test.resource)); got.String() != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	})
}

func TestVersions(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		a, b string
		want bool
	}
	r := taught(t)
	testtable.Run(t, []test{
		{row{"same", "a version of itself"}, "v1 Pod", "v1 Pod", true},
		{row{"version", "the usual case"}, "autoscaling/v1 HorizontalPodAutoscaler", "autoscaling/v2 HorizontalPodAutoscaler", true},
		{row{"group", "both groups serve it"}, "v1 Event", "events.k8s.io/v1 Event", true},
		{row{"removed group", "no server of this release has it"}, "extensions/v1beta1 Deployment", "apps/v1 Deployment", false},
		{row{"body", "bodies have versions, too"}, "policy/v1beta1 Eviction", "policy/v1 Eviction", true},
		{row{"custom", "its definition has both"}, "example.com/v1 Widget", "example.com/v2 Widget", true},
		{row{"name", "a name alone says nothing"}, "policy/v1 Eviction", "lifecycle.k8s.io/v1alpha1 Eviction", false},
		{row{"group alone", "nor does a group"}, "apps/v1 Deployment", "apps/v1 ReplicaSet", false},
	}, func(t *testing.T, test test) {
		for _, pair := range [][2]string{{test.a, test.b}, {test.b, test.a}} {
			if got := r.Versions(gvk(pair[0]), gvk(pair[1])); got != test.want {
				t.Errorf("%q: got %t, want %t", pair, got, test.want)
			}
		}
	})
}

func TestCheckSubresource(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		kind, subresource, want string
	}
	r := taught(t)
	testtable.Run(t, []test{
		{row{"itself", "no subresource"}, "v1 ConfigMap", "", ""},
		{row{"status", "it is there"}, "v1 Pod", "status", ""},
		{row{"scale", "it is there"}, "apps/v1 Deployment", "scale", ""},
		{row{"other", "package request knows which exist"}, "v1 ConfigMap", "exec", ""},
		{row{"no status", "nothing about it changes by itself"}, "v1 ConfigMap", "status", "configmaps have no subresource status"},
		{row{"no scale", "a pod is one"}, "v1 Pod", "scale", "pods have no subresource scale"},
		{row{"custom", "the version has it"}, "example.com/v1 Widget", "status", ""},
		{row{"custom version", "another version has it"}, "example.com/v2 Widget", "status",
			"widgets.example.com have no subresource status in v2: see spec.versions of the CustomResourceDefinition widgets.example.com"},
	}, func(t *testing.T, test test) {
		if err := r.CheckSubresource(look(t, r, gvk(test.kind)).GroupVersionResource, test.subresource); testtable.Text(err) != test.want {
			t.Errorf("got %v, want %s", err, test.want)
		}
	})
}

func look(t *testing.T, r *kinds.Registry, kind schema.GroupVersionKind) kinds.Resource {
	t.Helper()
	at, err := r.Lookup(kind)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
