package apiserver

import (
	"maps"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	extensionsopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiopenapi "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/kube-openapi/pkg/common"

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
