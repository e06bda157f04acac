package apiserver

import (
	"context"
	"fmt"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	extensionsserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	genericapifilters "k8s.io/apiserver/pkg/endpoints/filters"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/util/notfoundhandler"
	"k8s.io/client-go/informers"

	"example.com/gatehouse/internal/apiserver/registry"
	"example.com/gatehouse/internal/apiserver/serviceresolver"
)

// customResources is the k8s.io/apiextensions-apiserver. It is the delegate of
// the generic server: it receives the requests for resources that are not built
// in.
type customResources struct {
	*extensionsserver.CustomResourceDefinitions
}

// newCustomResources creates the server with the configuration of the generic
// server, whose admission plugins, database and aggregated discovery it shares.
// The caller must make it the delegate of a server, or destroy it.
func newCustomResources(
	main *genericapiserver.Config, shared informers.SharedInformerFactory,
	options registry.RESTOptionsGetter, resolver *serviceresolver.Resolver,
) (customResources, error) {
	version := apiextensionsv1.SchemeGroupVersion
	delegate := *main
	// The main server runs the hooks of both.
	delegate.PostStartHooks = map[string]genericapiserver.PostStartHookConfigEntry{}
	delegate.MergedResourceConfig = extensionsserver.DefaultAPIResourceConfigSource()
	codec := extensionsserver.Codecs.LegacyCodec(version)
	delegate.RESTOptionsGetter = options.WithCodec(codec, version)
	config := extensionsserver.Config{
		GenericConfig: &genericapiserver.RecommendedConfig{
			Config: delegate, SharedInformerFactory: shared,
		},
		ExtraConfig: extensionsserver.ExtraConfig{
			CRDRESTOptionsGetter: options.WithCodec(unstructured.UnstructuredJSONScheme, version),
			// With more than one, definitions would be established seconds
			// later.
			MasterCount:         1,
			ServiceResolver:     resolver,
			AuthResolverWrapper: resolver.WrapAuthInfoResolver,
		},
	}
	// Until the definitions are loaded, clients get 503 in place of 404.
	notFound := notfoundhandler.New(main.Serializer, genericapifilters.NoMuxAndDiscoveryIncompleteKey)
	created, err := config.Complete().New(genericapiserver.NewEmptyDelegateWithCustomHandler(notFound))
	if err != nil {
		return customResources{}, fmt.Errorf("creating the server for custom resources: %w", err)
	}
	main.AggregatedDiscoveryGroupManager = created.GenericAPIServer.AggregatedDiscoveryGroupManager
	created.GenericAPIServer.RegisterDestroyFunc(created.Informers.Shutdown)
	return customResources{created}, nil
}

// join adds the group apiextensions.k8s.io to the main server, whose OpenAPI
// documents are made from its own web services, and lists the groups of custom
// resources in its legacy discovery.
func (c customResources) join(main *genericapiserver.GenericAPIServer) error {
	group := genericapiserver.APIGroupPrefix + "/" + apiextensionsv1.GroupName
	for _, service := range c.GenericAPIServer.Handler.GoRestfulContainer.RegisteredWebServices() {
		if strings.HasPrefix(service.RootPath(), group) {
			main.Handler.GoRestfulContainer.Add(service)
		}
	}
	main.DiscoveryGroupManager.AddGroup(
		newAPIGroup(apiextensionsv1.GroupName, apiextensionsv1.SchemeGroupVersion.Version))
	definitions := c.Informers.Apiextensions().V1().CustomResourceDefinitions()
	return addGroupDiscovery(definitions, main.DiscoveryGroupManager)
}

// shareOpenAPI makes the server add custom resources to the OpenAPI documents
// of the main server.
func (c customResources) shareOpenAPI(main *genericapiserver.GenericAPIServer) {
	delegate := c.GenericAPIServer
	delegate.StaticOpenAPISpec = main.StaticOpenAPISpec
	delegate.OpenAPIVersionedService = main.OpenAPIVersionedService
	delegate.OpenAPIV3VersionedService = main.OpenAPIV3VersionedService
}

// assembly is the main server and its delegate.
type assembly struct {
	*genericapiserver.GenericAPIServer
	custom customResources
}

// run serves until ctx ends.
func (a assembly) run(ctx context.Context) error {
	return a.PrepareRun().RunWithContext(ctx)
}

// started reports whether the server may be stopped. If it is stopped before
// the informer of definitions has synced, the hook that waits for the informer
// fails, and k8s.io/apiserver ends the process.
func (c customResources) started() bool {
	for _, check := range c.GenericAPIServer.HealthzChecks() {
		if check.Name() == "poststarthook/crd-informer-synced" && check.Check(nil) != nil {
			return false
		}
	}
	return true
}

// newAPIGroup returns the description of a group in /apis. The first version is
// the preferred one.
func newAPIGroup(name string, versions ...string) metav1.APIGroup {
	group := metav1.APIGroup{Name: name}
	for _, version := range versions {
		group.Versions = append(group.Versions, metav1.GroupVersionForDiscovery{
			GroupVersion: name + "/" + version, Version: version,
		})
	}
	group.PreferredVersion = group.Versions[0]
	return group
}
