package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/endpoints/openapi"
	"k8s.io/apiserver/pkg/registry/generic"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/util/compatibility"
	"k8s.io/client-go/informers"

	definitions "example.com/gatehouse/examples/aggregated-apiserver/apis/openapi"
	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys"
	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys/install"
	"example.com/gatehouse/examples/aggregated-apiserver/registry/robot/storage"
)

// Server is an API server that is ready to serve. Use Options.New to create
// one.
type Server struct {
	// Generic is the underlying server, for access to its loopback client and
	// hooks.
	Generic *genericapiserver.GenericAPIServer

	informers informers.SharedInformerFactory
	// database is nil if the server uses an external etcd.
	database *database
}

// New starts the database, connects the admission chain to the host and
// installs the API. The caller must call Run, which serves and also closes the
// server. ctx bounds the start of the database only.
func (o *Options) New(ctx context.Context) (*Server, error) {
	var s Server
	if folder := &o.Recommended.SecureServing.ServerCert.CertDirectory; *folder == "" {
		*folder = filepath.Join(o.DataDir, "certificates")
	}
	servers := &o.Recommended.Etcd.StorageConfig.Transport.ServerList
	if len(*servers) == 0 {
		var err error
		if s.database, err = openDatabase(ctx, o.DataDir); err != nil {
			return nil, err
		}
		*servers = []string{s.database.endpoint()}
	}
	if err := s.build(o); err != nil {
		return nil, errors.Join(err, s.database.close())
	}
	return &s, nil
}

func (s *Server) build(o *Options) error {
	if err := o.validate(); err != nil {
		return fmt.Errorf("checking the options: %w", err)
	}
	config, err := o.config()
	if err != nil {
		return err
	}
	s.informers = config.SharedInformerFactory
	s.Generic, err = config.Complete().New("toys", genericapiserver.NewEmptyDelegate())
	if err != nil {
		return fmt.Errorf("making the server: %w", err)
	}
	return s.install(o.scheme, o.codecs, config.RESTOptionsGetter)
}

// config applies the options and builds the admission chain.
func (o *Options) config() (*genericapiserver.RecommendedConfig, error) {
	config := genericapiserver.NewRecommendedConfig(o.codecs)
	config.EffectiveVersion = compatibility.DefaultBuildEffectiveVersion()
	published, err := install.Published()
	if err != nil {
		return nil, err
	}
	namer := openapi.NewDefinitionNamer(published)
	config.OpenAPIConfig = genericapiserver.DefaultOpenAPIConfig(definitions.GetOpenAPIDefinitions,
		namer)
	config.OpenAPIV3Config = genericapiserver.DefaultOpenAPIV3Config(
		definitions.GetOpenAPIDefinitions, namer)
	config.OpenAPIConfig.Info.Title, config.OpenAPIV3Config.Info.Title = toys.GroupName, toys.GroupName

	if err := o.Recommended.SecureServing.MaybeDefaultWithSelfSignedCerts("localhost", nil,
		[]net.IP{net.IPv4(127, 0, 0, 1)}); err != nil {
		return nil, fmt.Errorf("making a certificate to serve with: %w", err)
	}
	if err := o.apply(config); err != nil {
		return nil, fmt.Errorf("applying the options: %w", err)
	}
	return config, nil
}

// install adds the API group, whose versions share one storage.
func (s *Server) install(scheme *runtime.Scheme, codecs serializer.CodecFactory,
	options generic.RESTOptionsGetter) error {
	robots, err := storage.New(scheme, options)
	if err != nil {
		return err
	}
	group := genericapiserver.NewDefaultAPIGroupInfo(toys.GroupName, scheme, metav1.ParameterCodec,
		codecs)
	for _, version := range group.PrioritizedVersions {
		group.VersionedResourcesStorageMap[version.Version] = robots
	}
	if err := s.Generic.InstallAPIGroup(&group); err != nil {
		return fmt.Errorf("installing the API group: %w", err)
	}
	return nil
}

// Run serves until ctx ends. Then it rejects new requests, waits for those in
// flight, notifies the admission plugins that the server is drained, and closes
// informers and database. The caller may call it once. Afterwards no goroutine
// of the server remains, except the log health check of k8s.io/apiserver, which
// exists once per process.
func (s *Server) Run(ctx context.Context) error {
	err := s.Generic.PrepareRun().RunWithContext(ctx)
	s.informers.Shutdown()
	if err != nil {
		err = fmt.Errorf("serving: %w", err)
	}
	return errors.Join(err, s.database.close())
}
