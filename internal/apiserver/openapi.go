package apiserver

import (
	"maps"
	"net/http"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	extensionsopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiopenapi "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/routes"
	"k8s.io/kube-openapi/pkg/builder"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/common/restfuladapter"
	openapihandler "k8s.io/kube-openapi/pkg/handler"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"example.com/gatehouse/internal/apiserver/openapi"
)

// openAPITitle is the title of the OpenAPI documents.
const openAPITitle = "Kubernetes"

// configureOpenAPI configures the OpenAPI documents, v2 and v3, which
// installOpenAPI publishes. Server-side apply reads the list types of Go types
// from them.
func configureOpenAPI(config *genericapiserver.Config, published *runtime.Scheme) {
	config.SkipOpenAPIInstallation = true
	namer := apiopenapi.NewDefinitionNamer(published, apiextensionsScheme())
	config.OpenAPIConfig = genericapiserver.DefaultOpenAPIConfig(definitions, namer)
	config.OpenAPIConfig.Info.Title = openAPITitle
	config.OpenAPIV3Config = genericapiserver.DefaultOpenAPIV3Config(definitions, namer)
	config.OpenAPIV3Config.Info.Title = openAPITitle
}

// installOpenAPI publishes the documents of a server that has all its resources.
// It has the effect of PrepareRun without SkipOpenAPIInstallation, but makes the
// v2 document for the first request: that takes a quarter of the start, and
// clients of today read v3.
func installOpenAPI(server *genericapiserver.GenericAPIServer, config *genericapiserver.Config) {
	container, mux := server.Handler.GoRestfulContainer, server.Handler.NonGoRestfulMux
	documents := routes.OpenAPI{V3Config: config.OpenAPIV3Config}
	server.OpenAPIV3VersionedService = documents.InstallV3(container, mux)

	// The controller of custom resources merges theirs into the document, too,
	// when it is requested.
	document := &spec.Swagger{}
	build := sync.OnceValue(func() error {
		services := restfuladapter.AdaptWebServices(container.RegisteredWebServices())
		built, err := builder.BuildOpenAPISpecFromRoutes(services, config.OpenAPIConfig)
		if err != nil {
			return err
		}
		built.Definitions = openapihandler.PruneDefaults(built.Definitions)
		*document = *built
		return nil
	})
	server.StaticOpenAPISpec = document
	server.OpenAPIVersionedService = openapihandler.NewOpenAPIService(document)
	server.OpenAPIVersionedService.RegisterOpenAPIVersionedService("/openapi/v2", after{build, mux})
}

// after registers handlers that fail unless a step has succeeded.
type after struct {
	step func() error
	mux  common.PathHandler
}

// Handle implements common.PathHandler.
func (a after) Handle(path string, next http.Handler) {
	a.mux.Handle(path, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := a.step(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		next.ServeHTTP(w, r)
	}))
}

// definitions returns the definitions of the built-in resources and of
// CustomResourceDefinitions.
func definitions(ref common.ReferenceCallback) map[string]common.OpenAPIDefinition {
	all := extensionsopenapi.GetOpenAPIDefinitions(ref)
	maps.Copy(all, openapi.GetOpenAPIDefinitions(ref))
	return all
}

// apiextensionsScheme returns the served version of CustomResourceDefinitions.
func apiextensionsScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, apiextensionsv1.SchemeGroupVersion)
	scheme.AddKnownTypes(apiextensionsv1.SchemeGroupVersion,
		&apiextensionsv1.CustomResourceDefinition{}, &apiextensionsv1.CustomResourceDefinitionList{})
	return scheme
}
