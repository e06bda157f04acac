package kinds_test

import (
	"testing"

	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestLookup(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		kind, want string
		namespaced bool
	}
	rows := []test{
		{row{"core", "the group without a name"}, "v1 Pod", "/v1, Resource=pods", true},
		{row{"cluster", "a kind without namespaces"}, "v1 Namespace", "/v1, Resource=namespaces", false},
		{row{"irregular plural", "what guessing would get wrong"}, "v1 Endpoints", "/v1, Resource=endpoints", true},
		{row{"group", "the group is not that of the Go package"}, "rbac.authorization.k8s.io/v1 ClusterRole", "rbac.authorization.k8s.io/v1, Resource=clusterroles", false},
		{row{"older version", "each version is a resource"}, "autoscaling/v1 HorizontalPodAutoscaler", "autoscaling/v1, Resource=horizontalpodautoscalers", true},
		{row{"binding", "it has no client, and is created"}, "v1 Binding", "/v1, Resource=bindings", true},
		{row{"review", "reviews are created too"}, "authorization.k8s.io/v1 SubjectAccessReview", "authorization.k8s.io/v1, Resource=subjectaccessreviews", false},
		{row{"local review", "the one review with a namespace"}, "authorization.k8s.io/v1 LocalSubjectAccessReview", "authorization.k8s.io/v1, Resource=localsubjectaccessreviews", true},
		{row{"definition", "definitions are objects as well"}, "apiextensions.k8s.io/v1 CustomResourceDefinition", "apiextensions.k8s.io/v1, Resource=customresourcedefinitions", false},
		{row{"custom", "taught"}, "example.com/v2 Widget", "example.com/v2, Resource=widgets", true},
		{row{"custom cluster", "taught without namespaces"}, "example.com/v1 Gear", "example.com/v1, Resource=gears", false},
	}
	r := taught(t)
	testtable.Run(t, rows, func(t *testing.T, test test) {
		at, err := r.Lookup(gvk(test.kind))
		if err != nil || at.String() != test.want || at.Kind != gvk(test.kind) || at.Namespaced != test.namespaced {
			t.Errorf("%s: got %#v, %v; want %s, %t", test.Why(), at, err, test.want, test.namespaced)
		}
	})
}

func TestLookupErrors(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		kind, want string
	}
	rows := []test{
		{row{"unknown", "how to teach it"}, "example.com/v1 Foo",
			`unknown kind "Foo" in example.com/v1: add the CustomResourceDefinition that defines it to the inputs`},
		{row{"unknown in core", "the core group has no name"}, "v1 Pot",
			`unknown kind "Pot" in v1: add the CustomResourceDefinition that defines it to the inputs`},
		{row{"unknown version", "what the API server has instead"}, "apps/v2 Deployment",
			"apps/v2 Deployment is not served: kube-apiserver v1.37 serves apps/v1"},
		{row{"removed version", "a version that has a type"}, "flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema",
			"flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema is not served: kube-apiserver v1.37 serves flowcontrol.apiserver.k8s.io/v1"},
		{row{"several versions", "all are named"}, "autoscaling/v2beta2 HorizontalPodAutoscaler",
			"autoscaling/v2beta2 HorizontalPodAutoscaler is not served: kube-apiserver v1.37 serves autoscaling/v2 and autoscaling/v1"},
		{row{"many versions", "as a sentence"}, "resource.k8s.io/v1alpha2 ResourceClaim",
			"resource.k8s.io/v1alpha2 ResourceClaim is not served: kube-apiserver v1.37 serves resource.k8s.io/v1, resource.k8s.io/v1beta2 and resource.k8s.io/v1beta1"},
		{row{"removed kind", "nothing took over, or what did is no version of it"}, "policy/v1beta1 PodSecurityPolicy",
			`unknown kind "PodSecurityPolicy" in policy/v1beta1: add the CustomResourceDefinition that defines it to the inputs`},
		{row{"list", "a type that is no resource"}, "v1 PodList",
			"v1 PodList is not a kind that kube-apiserver v1.37 serves as a resource"},
		{row{"old list", "its type names a successor that is no resource either"}, "apps/v1beta1 DeploymentList",
			"apps/v1beta1 DeploymentList is not a kind that kube-apiserver v1.37 serves as a resource"},
		{row{"body", "a kind that only a subresource takes"}, "policy/v1 Eviction",
			"policy/v1 Eviction is not a resource: it is the body of requests to pods/eviction"},
		{row{"old body", "the subresource takes all versions"}, "policy/v1beta1 Eviction",
			"policy/v1beta1 Eviction is not a resource: it is the body of requests to pods/eviction"},
		{row{"rollback", "the type names a successor that never existed"}, "apps/v1beta1 DeploymentRollback",
			"apps/v1beta1 DeploymentRollback is not a kind that kube-apiserver v1.37 serves as a resource"},
		{row{"removed group", "the group that serves the kind now"}, "extensions/v1beta1 Deployment",
			"extensions/v1beta1 Deployment is not served: kube-apiserver v1.37 serves apps/v1"},
		{row{"another kind of it", "not all kinds of a group moved to the same group"}, "extensions/v1beta1 Ingress",
			"extensions/v1beta1 Ingress is not served: kube-apiserver v1.37 serves networking.k8s.io/v1"},
		{row{"removed version of a group", "the group stayed"}, "apps/v1beta2 DaemonSet",
			"apps/v1beta2 DaemonSet is not served: kube-apiserver v1.37 serves apps/v1"},
		{row{"removed alpha", "its type has no lifecycle"}, "rbac.authorization.k8s.io/v1alpha1 ClusterRole",
			"rbac.authorization.k8s.io/v1alpha1 ClusterRole is not served: kube-apiserver v1.37 serves rbac.authorization.k8s.io/v1"},
		{row{"wrong successor", "its type names the list"}, "networking.k8s.io/v1beta1 IngressClass",
			"networking.k8s.io/v1beta1 IngressClass is not served: kube-apiserver v1.37 serves networking.k8s.io/v1"},
		{row{"scale", "many resources have one"}, "autoscaling/v1 Scale",
			"autoscaling/v1 Scale is not a resource: it is the body of requests to scale subresources, such as deployments/scale"},
		{row{"options", "they are sent in the query"}, "v1 PodExecOptions",
			"v1 PodExecOptions is not a resource: it holds the options of requests to pods/exec"},
		{row{"custom version", "what the definition has instead"}, "example.com/v3 Widget",
			"example.com/v3 Widget is not served: the CustomResourceDefinition widgets.example.com serves example.com/v1 and example.com/v2"},
		{row{"unserved custom version", "it is defined and cannot be requested"}, "example.com/v0 Widget",
			"example.com/v0 Widget is not served: the CustomResourceDefinition widgets.example.com serves example.com/v1 and example.com/v2"},
	}
	r := taught(t)
	testtable.Run(t, rows, func(t *testing.T, test test) {
		at, err := r.Lookup(gvk(test.kind))
		if err == nil || err.Error() != test.want || at != (kinds.Resource{}) {
			t.Errorf("%s:\n got %v, %v\nwant %s", test.Why(), at, err, test.want)
		}
	})
}
