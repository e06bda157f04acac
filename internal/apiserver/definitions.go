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

// title is what the OpenAPI documents call the API.
const title = "Kubernetes"

// describe has the server publish OpenAPI documents of both versions. They are
// more than documentation: server-side apply learns from them how the lists of a
// type are merged.
func describe(config *genericapiserver.Config, t schemes) {
	namer := apiopenapi.NewDefinitionNamer(t.published, publishedExtensions())
	config.OpenAPIConfig = genericapiserver.DefaultOpenAPIConfig(definitions, namer)
	config.OpenAPIConfig.Info.Title = title
	config.OpenAPIV3Config = genericapiserver.DefaultOpenAPIV3Config(definitions, namer)
	config.OpenAPIV3Config.Info.Title = title
}

// definitions are those of the table and of CustomResourceDefinitions. Both sides
// know the types that all groups share.
func definitions(ref common.ReferenceCallback) map[string]common.OpenAPIDefinition {
	all := extensionsopenapi.GetOpenAPIDefinitions(ref)
	maps.Copy(all, openapi.GetOpenAPIDefinitions(ref))
	return all
}

// publishedExtensions are the types of CustomResourceDefinitions, in the version that
// is served.
func publishedExtensions() *runtime.Scheme {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, apiextensionsv1.SchemeGroupVersion)
	scheme.AddKnownTypes(apiextensionsv1.SchemeGroupVersion,
		&apiextensionsv1.CustomResourceDefinition{}, &apiextensionsv1.CustomResourceDefinitionList{})
	return scheme
}
