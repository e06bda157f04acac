package kinds_test

import (
	"testing"

	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestResource(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		text, want string
	}
	rows := []test{
		{row{"group", "the usual way"}, "deployments.apps", "apps/v1 Deployment"},
		{row{"group and version", "as kubectl takes it"}, "deployments.v1.apps", "apps/v1 Deployment"},
		{row{"core", "the core group has no name"}, "pods", "v1 Pod"},
		{row{"core and version", "one name says all"}, "pods.v1", "v1 Pod"},
		{row{"core in kubectl", "which wants the dot before the group's missing name"}, "pods.v1.", "v1 Pod"},
		{row{"bare", "one group has it"}, "deployments", "apps/v1 Deployment"},
		{row{"preferred", "several versions are served"}, "horizontalpodautoscalers", "autoscaling/v2 HorizontalPodAutoscaler"},
		{row{"named version", "not the preferred one"}, "horizontalpodautoscalers.v1.autoscaling", "autoscaling/v1 HorizontalPodAutoscaler"},
		{row{"group with dots", "its first part is no version"}, "events.events.k8s.io", "events.k8s.io/v1 Event"},
		{row{"group with many dots", "nor here"}, "clusterroles.rbac.authorization.k8s.io", "rbac.authorization.k8s.io/v1 ClusterRole"},
		{row{"one of two", "as the error of the bare name suggests"}, "events.v1", "v1 Event"},
		{row{"custom", "of the served versions the newest, wherever it stands in the definition"}, "widgets.example.com", "example.com/v2 Widget"},
		{row{"bare custom", "custom resources are resources like others"}, "widgets", "example.com/v2 Widget"},
		{row{"custom version", "named"}, "widgets.v1.example.com", "example.com/v1 Widget"},
	}
	r := taught(t)
	testtable.Run(t, rows, func(t *testing.T, test test) {
		at, err := r.Resource(test.text)
		if err != nil {
			t.Fatal(err)
		}
		if want := look(t, r, gvk(test.want)); at != want {
			t.Errorf("got %#v, want %#v", at, want)
		}
	})
}

func TestResourceErrors(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		text, want string
	}
	const hint = ": write the plural with the group, as in deployments.apps; for a custom resource, add its CustomResourceDefinition to the inputs"
	rows := []test{
		{row{"two groups", "a guess would be wrong half of the time"}, "events", `several groups have a resource "events": use events.v1 or events.events.k8s.io`},
		{row{"singular", "the names of resources are plurals"}, "deployment.apps", `unknown resource "deployment.apps"` + hint},
		{row{"bare", "no group has it"}, "deployment", `unknown resource "deployment"` + hint},
		{row{"nothing", "an empty name"}, "", `unknown resource ""` + hint},
		{row{"wrong group", "no such resource in it"}, "pods.apps", `unknown resource "pods.apps"` + hint},
		{row{"removed version", "the version that serves it now"}, "deployments.v1beta1.apps", "apps/v1beta1 Deployment is not served: kube-apiserver v1.37 serves apps/v1"},
		{row{"removed group", "the group that serves it now"}, "deployments.extensions", "extensions/v1beta1 Deployment is not served: kube-apiserver v1.37 serves apps/v1"},
		{row{"removed group and version", "the same with a version"}, "ingresses.v1beta1.extensions", "extensions/v1beta1 Ingress is not served: kube-apiserver v1.37 serves networking.k8s.io/v1"},
		{row{"resource that a removed group never had", "there is nothing to name"}, "pods.extensions", `unknown resource "pods.extensions"` + hint},
		{row{"wrong version", "the group has others"}, "deployments.v2.apps", "apps/v2 Deployment is not served: kube-apiserver v1.37 serves apps/v1"},
		{row{"unserved", "the definition has others"}, "widgets.v0.example.com", "example.com/v0 Widget is not served: the CustomResourceDefinition widgets.example.com serves example.com/v1 and example.com/v2"},
		{row{"unknown group", "a definition may be missing"}, "foos.v1.example.com", `unknown resource "foos.v1.example.com"` + hint},
	}
	r := taught(t)
	testtable.Run(t, rows, func(t *testing.T, test test) {
		at, err := r.Resource(test.text)
		if err == nil || err.Error() != test.want || at != (kinds.Resource{}) {
			t.Errorf("\n got %v, %v\nwant %s", at, err, test.want)
		}
	})
}

func TestBody(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		kind, want string
	}
	rows := []test{
		{row{"eviction", "the one body that has a typed client"}, "policy/v1 Eviction", "pods/eviction"},
		{row{"old eviction", "kube-apiserver still takes it"}, "policy/v1beta1 Eviction", "pods/eviction"},
		{row{"token", "a body of service accounts"}, "authentication.k8s.io/v1 TokenRequest", "serviceaccounts/token"},
		{row{"exec", "CONNECT takes options"}, "v1 PodExecOptions", "pods/exec"},
		{row{"attach", "CONNECT takes options"}, "v1 PodAttachOptions", "pods/attach"},
		{row{"portforward", "CONNECT takes options"}, "v1 PodPortForwardOptions", "pods/portforward"},
		{row{"pod proxy", "three resources have a proxy"}, "v1 PodProxyOptions", "pods/proxy"},
		{row{"service proxy", "the second"}, "v1 ServiceProxyOptions", "services/proxy"},
		{row{"node proxy", "the third, without namespaces"}, "v1 NodeProxyOptions", "nodes/proxy"},
		{row{"binding", "a resource and a body"}, "v1 Binding", "pods/binding"},
		{row{"scale", "of what cannot be told"}, "autoscaling/v1 Scale", "/scale"},
		{row{"resource", "only a resource"}, "v1 Pod", ""},
		{row{"other options", "the options of logs go to no webhook"}, "v1 PodLogOptions", ""},
		{row{"custom", "custom resources have no bodies of their own"}, "example.com/v1 Widget", ""},
	}
	r := taught(t)
	testtable.Run(t, rows, func(t *testing.T, test test) {
		resource, subresource, ok := r.Body(gvk(test.kind))
		got := ""
		if ok {
			got = resource + "/" + subresource
		}
		if got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
		if resource != "" {
			if _, err := r.Resource(resource); err != nil {
				t.Errorf("the resource cannot be found again: %v", err)
			}
		}
	})
}

func TestResources(t *testing.T) {
	t.Parallel()
	r := taught(t)
	seen := map[string]bool{}
	for at := range r.Resources() {
		if seen[at.String()] {
			t.Errorf("%s comes twice", at)
		}
		seen[at.String()] = true
		if want := look(t, r, at.Kind); at != want {
			t.Errorf("got %#v, but Lookup has %#v", at, want)
		}
	}
	for _, kind := range []string{"v1 Pod", "autoscaling/v1 HorizontalPodAutoscaler", "example.com/v1 Widget", "example.com/v2 Widget"} {
		if at := look(t, r, gvk(kind)); !seen[at.String()] {
			t.Errorf("%s is missing", at)
		}
	}
	if seen["example.com/v0, Resource=widgets"] {
		t.Error("a version is among them that is not served")
	}
}
