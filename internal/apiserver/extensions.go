package apiserver

import (
	"context"
	"fmt"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	extensionsserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	genericapifilters "k8s.io/apiserver/pkg/endpoints/filters"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/util/notfoundhandler"
	"k8s.io/client-go/informers"
)

// extensions serve CustomResourceDefinitions and what they define. They are a server
// of their own, k8s.io/apiextensions-apiserver, behind the one that clients see: it
// gets the requests that the table knows nothing of.
type extensions struct {
	*extensionsserver.CustomResourceDefinitions
}

// newExtensions makes them after the configuration of the server in front, with the
// same admission plugins, database and documents. Both servers tell of their groups
// in one place. The extensions must be made part of a server, or destroyed.
func newExtensions(front *genericapiserver.Config, shared informers.SharedInformerFactory, db database, s *services) (extensions, error) {
	behind := *front
	// These belong to the server in front, which runs those of both.
	behind.PostStartHooks = map[string]genericapiserver.PostStartHookConfigEntry{}
	behind.SkipOpenAPIInstallation = true
	behind.MergedResourceConfig = extensionsserver.DefaultAPIResourceConfigSource()
	behind.RESTOptionsGetter = db.with(extensionsserver.Codecs.LegacyCodec(apiextensionsv1.SchemeGroupVersion))
	config := extensionsserver.Config{
		GenericConfig: &genericapiserver.RecommendedConfig{Config: behind, SharedInformerFactory: shared},
		ExtraConfig: extensionsserver.ExtraConfig{
			CRDRESTOptionsGetter: db.with(unstructured.UnstructuredJSONScheme),
			// With several, definitions would take effect seconds later.
			MasterCount:         1,
			ServiceResolver:     s,
			AuthResolverWrapper: s.wrap,
		},
	}
	// Until all definitions are known, "not found" would be a guess.
	nobody := notfoundhandler.New(front.Serializer, genericapifilters.NoMuxAndDiscoveryIncompleteKey)
	made, err := config.Complete().New(genericapiserver.NewEmptyDelegateWithCustomHandler(nobody))
	if err != nil {
		return extensions{}, fmt.Errorf("preparing custom resources: %w", err)
	}
	front.AggregatedDiscoveryGroupManager = made.GenericAPIServer.AggregatedDiscoveryGroupManager
	made.GenericAPIServer.RegisterDestroyFunc(made.Informers.Shutdown)
	return extensions{made}, nil
}

// join makes them part of the server in front, whose delegate they are. It serves
// their API group itself, because its documents tell of nothing else.
func (e extensions) join(front *genericapiserver.GenericAPIServer) error {
	group := genericapiserver.APIGroupPrefix + "/" + apiextensionsv1.GroupName
	for _, part := range e.GenericAPIServer.Handler.GoRestfulContainer.RegisteredWebServices() {
		if strings.HasPrefix(part.RootPath(), group) {
			front.Handler.GoRestfulContainer.Add(part)
		}
	}
	front.DiscoveryGroupManager.AddGroup(groupOf(apiextensionsv1.GroupName, apiextensionsv1.SchemeGroupVersion.Version))
	return followGroups(e.Informers.Apiextensions().V1().CustomResourceDefinitions(), front.DiscoveryGroupManager)
}

// document has them add custom resources to the documents of the server in front,
// which it has once it is prepared.
func (e extensions) document(front *genericapiserver.GenericAPIServer) {
	behind := e.GenericAPIServer
	behind.StaticOpenAPISpec = front.StaticOpenAPISpec
	behind.OpenAPIVersionedService = front.OpenAPIVersionedService
	behind.OpenAPIV3VersionedService = front.OpenAPIV3VersionedService
}

// with is the same database for objects that are written with another codec.
func (d database) with(codec runtime.Codec) database {
	d.config.Codec = codec
	d.config.EncodeVersioner = schema.GroupVersions{apiextensionsv1.SchemeGroupVersion}
	return d
}

// assembly is the server in front with the extensions behind it.
type assembly struct {
	*genericapiserver.GenericAPIServer
	custom extensions
}

// run serves until ctx ends.
func (a assembly) run(ctx context.Context) error {
	prepared := a.PrepareRun()
	a.custom.document(a.GenericAPIServer)
	return prepared.RunWithContext(ctx)
}

// started reports whether the server can be ended. Before, that would be taken for a
// failure of the hook that waits for the definitions, and end the process.
func (e extensions) started() bool {
	for _, check := range e.GenericAPIServer.HealthzChecks() {
		if check.Name() == "poststarthook/crd-informer-synced" && check.Check(nil) != nil {
			return false
		}
	}
	return true
}

// groupOf describes a group for /apis. Its versions come with the preferred one
// first.
func groupOf(name string, versions ...string) metav1.APIGroup {
	group := metav1.APIGroup{Name: name}
	for _, version := range versions {
		group.Versions = append(group.Versions, metav1.GroupVersionForDiscovery{GroupVersion: name + "/" + version, Version: version})
	}
	group.PreferredVersion = group.Versions[0]
	return group
}
