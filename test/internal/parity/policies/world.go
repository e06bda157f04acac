package policies

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic/dynamicinformer"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/openapi"
	"k8s.io/client-go/openapi/openapitest"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/dispatcher/policy"
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
}

// WidgetKind is the kind of custom resources.
var WidgetKind = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}

var widgets = WidgetKind.GroupVersion().WithResource("widgets")

// Sides are both implementations with the policies of a world.
type Sides struct {
	mutating   *mutating.Plugin
	validating *validating.Plugin
	// set is ours, and in how it is evaluated.
	set *policy.Set
	in  policy.Config
}

// Start starts both sides until ctx is done.
func (w *World) Start(ctx context.Context) (*Sides, error) {
	c := w.cluster()
	s := &Sides{}
	if err := c.startUpstream(ctx, s); err != nil {
		return nil, err
	}
	params := &params{cluster: c, stop: ctx.Done()}
	var err error
	if s.set, err = policy.NewSet(params, w.Policies...); err != nil {
		return nil, err
	}
	types := patch.NewTypeConverterManager(nil, c.client.openapi)
	go types.Run(ctx)
	for ctx.Err() == nil && types.GetTypeConverter(corev1.SchemeGroupVersion.WithKind("Pod")) == nil {
		time.Sleep(time.Millisecond) // Run has not read the paths yet
	}
	s.in = policy.Config{
		Namespaces: policy.NamespacesFunc(c.namespace),
		Authorizer: c.authorizer(), Types: types.GetTypeConverter, Exact: true,
	}
	return s, nil
}

// cluster is what both sides read.
type cluster struct {
	client  *client
	factory informers.SharedInformerFactory
	dynamic *dynamicfake.FakeDynamicClient
	mapper  meta.RESTMapper
}

func (w *World) cluster() *cluster {
	objects := append([]runtime.Object{}, w.Policies...)
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
	c := &client{fake.NewClientset(objects...), openAPI()}
	return &cluster{
		client: c, factory: informers.NewSharedInformerFactory(c.Interface, 0), mapper: mapper,
		dynamic: dynamicfake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(),
			map[schema.GroupVersionResource]string{
				widgets: "WidgetList", corev1.SchemeGroupVersion.WithResource("configmaps"): "ConfigMapList",
				corev1.SchemeGroupVersion.WithResource("namespaces"): "NamespaceList",
			}, custom...),
	}
}

// authorizer allows what the user admin does.
func (c *cluster) authorizer() authorizer.UnconditionalAuthorizer {
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

// startUpstream starts upstream's plugins.
func (c *cluster) startUpstream(ctx context.Context, s *Sides) (err error) {
	if s.mutating, err = mutating.NewPlugin(nil); err != nil {
		return err
	}
	if s.validating, err = validating.NewPlugin(nil); err != nil {
		return err
	}
	s.mutating.SetEnabled(true)
	for _, p := range []interface {
		SetExternalKubeInformerFactory(informers.SharedInformerFactory)
		SetExternalKubeClientSet(kubernetes.Interface)
		SetRESTMapper(meta.RESTMapper)
		SetDrainedNotification(<-chan struct{})
		SetUnconditionalAuthorizer(authorizer.UnconditionalAuthorizer)
		ValidateInitialization() error
	}{s.mutating, s.validating} {
		p.SetExternalKubeInformerFactory(c.factory)
		p.SetExternalKubeClientSet(c.client)
		p.SetRESTMapper(c.mapper)
		p.SetDrainedNotification(ctx.Done())
		p.SetUnconditionalAuthorizer(c.authorizer())
	}
	s.mutating.SetDynamicClient(c.dynamic)
	s.validating.SetDynamicClient(c.dynamic)
	err = errors.Join(s.mutating.ValidateInitialization(), s.validating.ValidateInitialization())
	if err != nil {
		return err
	}
	c.factory.Core().V1().Namespaces().Informer()
	c.factory.Start(ctx.Done())
	c.factory.WaitForCacheSync(ctx.Done())
	if !s.mutating.WaitForReady() || !s.validating.WaitForReady() {
		return errors.New("upstream's plugins are not ready")
	}
	return nil
}

// client is a fake clientset with schemas.
type client struct {
	kubernetes.Interface
	openapi openapi.Client
}

func (c *client) Discovery() discovery.DiscoveryInterfaces {
	return &discoverer{c.Interface.Discovery(), c.openapi}
}

type discoverer struct {
	discovery.DiscoveryInterfaces
	openapi openapi.Client
}

func (d *discoverer) OpenAPIV3() openapi.Client { return d.openapi }

// openAPI has the schemas of core/v1, apps/v1 and autoscaling, and none of
// widgets: upstream responds with 503 to mutations of theirs.
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
	return c
}

// groupVersion is a schema that does not change.
type groupVersion []byte

func (g groupVersion) Schema(string) ([]byte, error) { return g, nil }

func (g groupVersion) ServerRelativeURL() string { return "unchanged" }

// params are the params of ours, from the informers that upstream uses.
type params struct {
	*cluster
	stop <-chan struct{}
}

// Params implements policy.Params.
func (p *params) Params(kind schema.GroupVersionKind) (policy.ParamStore, error) {
	mapping, err := p.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return nil, err
	}
	informer, err := p.factory.ForResource(mapping.Resource)
	if err == nil {
		p.factory.Start(p.stop)
	} else {
		informer = dynamicinformer.NewFilteredDynamicInformer(p.dynamic, mapping.Resource,
			metav1.NamespaceAll, 0, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}, nil)
		go informer.Informer().Run(p.stop)
	}
	cache.WaitForCacheSync(p.stop, informer.Informer().HasSynced)
	return &store{informer.Lister(), mapping.Scope.Name() == meta.RESTScopeNameNamespace}, nil
}

// store reads params from a lister.
type store struct {
	cache.GenericLister
	namespaced bool
}

func (s *store) Namespaced() bool { return s.namespaced }

func (s *store) Get(namespace, name string) (runtime.Object, error) {
	if s.namespaced {
		return s.ByNamespace(namespace).Get(name)
	}
	return s.GenericLister.Get(name)
}

func (s *store) List(namespace string, selector labels.Selector) ([]runtime.Object, error) {
	if s.namespaced {
		return s.ByNamespace(namespace).List(selector)
	}
	return s.GenericLister.List(selector)
}

// namespace looks up a namespace as upstream does.
func (c *cluster) namespace(ctx context.Context, name string) (*corev1.Namespace, error) {
	ns, err := c.factory.Core().V1().Namespaces().Lister().Get(name)
	if apierrors.IsNotFound(err) {
		return c.client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
	}
	return ns, err
}
