package apiserver

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/emicklei/go-restful/v3"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/kube-openapi/pkg/builder"
	"k8s.io/kube-openapi/pkg/builder3"
	"k8s.io/kube-openapi/pkg/cached"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/common/restfuladapter"
	openapihandler "k8s.io/kube-openapi/pkg/handler"
	"k8s.io/kube-openapi/pkg/handler3"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// installOpenAPI publishes the documents of a server that has all its built-in
// resources. They are those of k8s.io/apiserver, which makes them in PrepareRun;
// here each is made when it is first requested. Many servers end before that,
// and save two fifths of the processor time of their start, and 38 MiB. The
// controllers of k8s.io/apiextensions-apiserver add custom resources.
func installOpenAPI(
	server *genericapiserver.GenericAPIServer, config *genericapiserver.Config,
) error {
	d := &documents{container: server.Handler.GoRestfulContainer, config: config}
	mux := server.Handler.NonGoRestfulMux
	server.StaticOpenAPISpec, server.OpenAPIVersionedService = d.installV2(mux)
	server.OpenAPIV3VersionedService = d.serviceV3()
	return server.OpenAPIV3VersionedService.RegisterOpenAPIV3VersionedService("/openapi/v3", mux)
}

// documents makes the documents of the resources in a container.
type documents struct {
	container *restful.Container
	config    *genericapiserver.Config
	// building is held while a v3 document is built, because builder3 writes into the
	// definitions of the configuration, which all documents share.
	building sync.Mutex
}

// installV2 publishes the v2 document at a path of the mux. The document is
// empty until it is requested: it is read only for requests.
func (d *documents) installV2(
	mux common.PathHandler,
) (*spec.Swagger, *openapihandler.OpenAPIService) {
	document := &spec.Swagger{}
	fill := sync.OnceValue(func() error {
		services := restfuladapter.AdaptWebServices(d.container.RegisteredWebServices())
		built, err := builder.BuildOpenAPISpecFromRoutes(services, d.config.OpenAPIConfig)
		if err != nil {
			return err
		}
		built.Definitions = openapihandler.PruneDefaults(built.Definitions)
		*document = *built
		return nil
	})
	service := openapihandler.NewOpenAPIService(document)
	service.RegisterOpenAPIVersionedService("/openapi/v2", after{fill, mux})
	return document, service
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

// serviceV3 returns a service with a v3 document for each web service, which is
// one version of a group.
func (d *documents) serviceV3() *handler3.OpenAPIService {
	service := handler3.NewOpenAPIService()
	for _, of := range d.container.RegisteredWebServices() {
		root := strings.TrimPrefix(of.RootPath(), "/")
		document := func() (*spec3.OpenAPI, string, error) {
			document, err := d.v3(of, root)
			return document, root, err
		}
		service.UpdateGroupVersionLazy(root, cached.Once(cached.Func(document)))
	}
	return service
}

func (d *documents) v3(of *restful.WebService, root string) (*spec3.OpenAPI, error) {
	d.building.Lock()
	defer d.building.Unlock()
	services := restfuladapter.AdaptWebServices([]*restful.WebService{of})
	document, err := builder3.BuildOpenAPISpecFromRoutes(services, d.config.OpenAPIV3Config)
	if err != nil {
		return nil, err
	}
	for _, s := range document.Components.Schemas {
		s.Extensions = maps.Clone(s.Extensions) // the next build writes into the original
		dropOtherGroups(s, root)
	}
	return document, nil
}

// dropOtherGroups removes the kinds of other groups from the schemas of
// DeleteOptions and WatchEvent, of which every group registers its own.
func dropOtherGroups(s *spec.Schema, root string) {
	const extension = "x-kubernetes-group-version-kind"
	kinds, _ := s.Extensions[extension].([]any)
	isOther := func(kind any) bool {
		of := kind.(map[string]any)
		core := of["group"] == "" && of["version"] == "v1"
		return !core && root != fmt.Sprintf("apis/%s/%s", of["group"], of["version"])
	}
	if len(kinds) > 1 && isInEveryGroup(kinds[0]) {
		s.Extensions[extension] = slices.DeleteFunc(slices.Clone(kinds), isOther)
	}
}

func isInEveryGroup(kind any) bool {
	name := kind.(map[string]any)["kind"]
	return name == "DeleteOptions" || name == "WatchEvent"
}
