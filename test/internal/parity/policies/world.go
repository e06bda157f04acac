package policies

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/client-go/discovery"
	fakediscovery "k8s.io/client-go/discovery/fake"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/openapi"
	"k8s.io/client-go/openapi/openapitest"

	"example.com/gatehouse/test/internal/parity/scenario"
)

// World is a cluster with policies.
type World struct {
	// Policies are the policies and bindings, with their defaults.
	Policies []runtime.Object
	// Namespaces and ConfigMaps exist, and Widgets of WidgetKind; both may be
	// params.
	Namespaces []*corev1.Namespace
	ConfigMaps []*corev1.ConfigMap
	Widgets    []*unstructured.Unstructured
	// Webhooks are the configurations of webhooks; Responses are what the webhooks
	// respond with, by path.
	Webhooks  []runtime.Object
	Responses map[string][]scenario.Answer
}

// WidgetKind is the kind of custom resources.
var WidgetKind = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}

var widgets = WidgetKind.GroupVersion().WithResource("widgets")

// cluster is what both sides read.
type cluster struct {
	client  *clientset
	factory informers.SharedInformerFactory
	dynamic *dynamicfake.FakeDynamicClient
	mapper  meta.RESTMapper
}

// cluster returns the cluster with webhooks that are reached at a server.
func (w *World) cluster(webhooks []runtime.Object) *cluster {
	objects := slices.Concat(w.Policies, webhooks)
	for _, ns := range w.Namespaces {
		objects = append(objects, ns)
	}
	for _, m := range w.ConfigMaps {
		objects = append(objects, m)
	}
	var custom []runtime.Object
	for _, o := range w.Widgets {
		custom = append(custom, o)
	}
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(corev1.SchemeGroupVersion.WithKind("ConfigMap"), meta.RESTScopeNamespace)
	mapper.Add(WidgetKind, meta.RESTScopeNamespace)
	mapper.Add(corev1.SchemeGroupVersion.WithKind("Namespace"), meta.RESTScopeRoot)
	c := &clientset{fake.NewClientset(objects...), openAPI()}
	c.Interface.Discovery().(*fakediscovery.FakeDiscovery).Resources = []*metav1.APIResourceList{
		{GroupVersion: "v1", APIResources: []metav1.APIResource{
			{Name: "configmaps", Kind: "ConfigMap", Namespaced: true}, {Name: "namespaces", Kind: "Namespace"},
		}},
		{GroupVersion: WidgetKind.GroupVersion().String(), APIResources: []metav1.APIResource{
			{Name: widgets.Resource, Kind: WidgetKind.Kind, Namespaced: true},
		}},
	}
	return &cluster{
		client: c, mapper: mapper,
		factory: sortedFactory{informers.NewSharedInformerFactory(c.Interface, 0)},
		dynamic: dynamicfake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(),
			map[schema.GroupVersionResource]string{
				widgets: "WidgetList", corev1.SchemeGroupVersion.WithResource("configmaps"): "ConfigMapList",
				corev1.SchemeGroupVersion.WithResource("namespaces"): "NamespaceList",
			}, custom...),
	}
}

// authorizer allows what the user admin does.
func (c *cluster) authorizer() authorizer.Authorizer {
	return authorizer.AuthorizerFunc(func(_ context.Context, a authorizer.Attributes) (
		authorizer.Decision, string, error,
	) {
		switch {
		case a.GetUser().GetName() == "admin":
			return authorizer.DecisionAllow, "", nil
		case a.GetVerb() == "fail":
			return authorizer.DecisionNoOpinion, "", errors.New("the authorizer fails")
		}
		return authorizer.DecisionDeny, "not an admin", nil
	})
}

// clientset is a fake clientset with schemas.
type clientset struct {
	kubernetes.Interface
	openapi openapi.Client
}

func (c *clientset) Discovery() discovery.DiscoveryInterfaces {
	return &discoverer{c.Interface.Discovery(), c.openapi}
}

type discoverer struct {
	discovery.DiscoveryInterfaces
	openapi openapi.Client
}

func (d *discoverer) OpenAPIV3() openapi.Client { return d.openapi }

// openAPI has the schemas of core/v1, apps/v1, autoscaling and of Gadgets, and
// none of Widgets: upstream responds with 503 to mutations of theirs.
func openAPI() openapi.Client {
	published, err := openapitest.NewEmbeddedFileClient().Paths()
	if err != nil {
		panic(err) // the files are part of the program
	}
	c := openapitest.NewFakeClient()
	for _, path := range []string{"api/v1", "apis/apps/v1"} {
		c.PathsMap[path] = published[path]
	}
	for _, version := range []string{"v1", "v2"} {
		c.PathsMap["apis/autoscaling/"+version] = groupVersion(fmt.Appendf(nil,
			`{"openapi":"3.0.0","components":{"schemas":{"io.k8s.api.autoscaling.%[1]s.HorizontalPodAutoscaler":
			{"type":"object","x-kubernetes-preserve-unknown-fields":true,"x-kubernetes-group-version-kind":
			[{"group":"autoscaling","version":"%[1]s","kind":"HorizontalPodAutoscaler"}]}}}}`, version))
	}
	c.PathsMap["apis/gadgets.example.com/v1"] = groupVersion(`{"openapi":"3.0.0","components":{"schemas":{
		"com.example.gadgets.v1.Gadget":{"type":"object","x-kubernetes-preserve-unknown-fields":true,
		"x-kubernetes-group-version-kind":[{"group":"gadgets.example.com","version":"v1","kind":"Gadget"}]}}}}`)
	return c
}

// groupVersion is a schema that does not change.
type groupVersion []byte

func (g groupVersion) Schema(string) ([]byte, error) { return g, nil }

func (g groupVersion) ServerRelativeURL() string { return "unchanged" }

// namespace looks up a namespace as upstream does.
func (c *cluster) namespace(ctx context.Context, name string) (*corev1.Namespace, error) {
	ns, err := c.factory.Core().V1().Namespaces().Lister().Get(name)
	if apierrors.IsNotFound(err) {
		return c.client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
	}
	return ns, err
}
