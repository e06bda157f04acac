package apiserver

import (
	apiopenapi "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"

	"example.com/gatehouse/internal/apiserver/openapi"
)

// title is what the OpenAPI documents call the API.
const title = "Kubernetes"

// describe has the server publish OpenAPI documents of both versions. They are
// more than documentation: server-side apply learns from them how the lists of a
// type are merged.
func describe(config *genericapiserver.Config, t schemes) {
	namer := apiopenapi.NewDefinitionNamer(t.published)
	config.OpenAPIConfig = genericapiserver.DefaultOpenAPIConfig(openapi.GetOpenAPIDefinitions, namer)
	config.OpenAPIConfig.Info.Title = title
	config.OpenAPIV3Config = genericapiserver.DefaultOpenAPIV3Config(openapi.GetOpenAPIDefinitions, namer)
	config.OpenAPIV3Config.Info.Title = title
}
