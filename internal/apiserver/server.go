package apiserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/apiserver/auth"
	"example.com/gatehouse/internal/apiserver/etcd"
	"example.com/gatehouse/internal/apiserver/garbagecollector"
	"example.com/gatehouse/internal/apiserver/inforce"
	"example.com/gatehouse/internal/apiserver/registry"
	"example.com/gatehouse/internal/apiserver/requests"
	"example.com/gatehouse/internal/apiserver/scheme"
	"example.com/gatehouse/internal/apiserver/serviceaccounts"
	"example.com/gatehouse/internal/apiserver/serviceresolver"
)

// Config configures a server. The zero value is a server without admission
// plugins and with temporary data.
type Config struct {
	// Listen is the HOST:PORT to listen on. Port 0 selects a free port. The
	// default is "127.0.0.1:0". With any other host, such as "" in ":6443",
	// clients on other machines can use the server if they have the token.
	Listen string
	// Token is the administrator's bearer token. If it is "", the server
	// generates one; ClientConfig returns it.
	Token string
	// DataDir is the folder for the data and for the key that signs the tokens
	// of service accounts. Start creates it if it does not exist. Only one
	// server may use it at a time. The default is a temporary folder that Stop
	// removes.
	DataDir string
	// Admission is the chain of admission plugins. The default is none.
	Admission Admission
	// Webhooks determines how the server connects to webhooks.
	Webhooks serviceresolver.Config
	// Audit is the audit log. The default is none.
	Audit Audit
	// WarnNoPods makes the server warn the client that creates the first
	// Deployment, or the first object of another kind of workload, that no pods
	// will appear. The default is false: tests may count warnings.
	WarnNoPods bool
	// CollectGarbage makes the server delete or orphan the dependents of
	// deleted objects. The default is false, as with envtest: their finalizers
	// remain.
	CollectGarbage bool
	// RBAC makes the server enforce the stored roles. The default is false:
	// every authenticated user may do everything.
	RBAC bool
	// DefaultServiceAccounts makes the server create the service account
	// "default" in each namespace. The default is false: in a cluster, a
	// controller creates it, not kube-apiserver.
	DefaultServiceAccounts bool
	// OpenStorage makes the server connect to the database for every kind when
	// it starts. The default is false: for rarely used kinds, the server
	// connects at the first use, which starts goroutines that run until Stop.
	OpenStorage bool
	// Requests is served at requests.Path. The owner of Admission adds the
	// requests. The default is none.
	Requests *requests.Log
}

// Server is a running API server. Start creates it; the caller must call Stop.
type Server struct {
	client   *rest.Config
	identity auth.Identity
	// clientCertificate authenticates the administrator in place of the token.
	clientCertificate auth.KeyPair
	stop              func() error
	// closers undo the steps of start; Stop calls them last first.
	closers []func() error
}

// Start starts an API server and returns when it is ready. It fails, and leaves
// nothing running, if the port is in use, the data folder cannot be used, an
// admission plugin fails to start, or ctx ends before the server is ready.
// After Start has returned, the server does not depend on ctx: it runs until
// Stop.
func Start(ctx context.Context, config Config) (*Server, error) {
	s := &Server{}
	s.stop = sync.OnceValue(s.close)
	if err := s.start(ctx, config); err != nil {
		return nil, errors.Join(fmt.Errorf("starting the API server: %w", err), s.Stop())
	}
	return s, nil
}

// ClientConfig returns the configuration of an administrator's client, without
// a rate limit. The caller owns the copy.
func (s *Server) ClientConfig() *rest.Config { return rest.CopyConfig(s.client) }

// Stop stops the server: it accepts no more requests, waits for pending ones,
// ends watches, closes the database and removes temporary files. With open
// watches, it takes one more second, the grace period of HTTP/2. Afterwards no
// goroutine of the server remains, except timers of k8s.io/apiserver's watch
// cache, which end three seconds after the last list. If a step fails, Stop
// executes the others and returns the error. Further calls wait for the first
// and return its result.
func (s *Server) Stop() error { return s.stop() }

func (s *Server) close() error {
	var errs []error
	for i := len(s.closers) - 1; i >= 0; i-- {
		errs = append(errs, s.closers[i]())
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("stopping the API server: %w", err)
	}
	return nil
}

// atStop makes Stop call f, before the functions that were added earlier.
func (s *Server) atStop(f func() error) { s.closers = append(s.closers, f) }

func (s *Server) start(ctx context.Context, config Config) error {
	address := cmp.Or(config.Listen, defaultListen)
	listener, err := s.listen(ctx, address)
	if err != nil {
		return err
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	id, err := auth.NewIdentity(host, config.Token)
	if err != nil {
		return err
	}
	s.identity = id
	s.client = id.ClientConfig(listener.Addr().String(), id.Token)
	s.clientCertificate = id.ClientCertificate
	endpoint, err := s.startEtcd(ctx, config.DataDir)
	if err != nil {
		return err
	}
	tokens, err := serviceaccounts.Open(config.DataDir)
	if err != nil {
		return err
	}
	server, err := s.assemble(ctx, config, id, tokens, listener, endpoint)
	if err != nil {
		return err
	}
	return s.run(ctx, server)
}

// startEtcd starts the database and returns its endpoint.
func (s *Server) startEtcd(ctx context.Context, folder string) (string, error) {
	if folder != "" {
		folder = filepath.Join(folder, "etcd")
	}
	db, err := etcd.Start(ctx, folder)
	if err != nil {
		return "", err
	}
	s.atStop(db.Stop)
	return db.Endpoint(), nil
}

// assemble creates the generic server and the server for custom resources, and
// writes the initial objects. The caller must run or destroy the result.
func (s *Server) assemble(
	ctx context.Context, config Config, id auth.Identity, tokens *serviceaccounts.Tokens,
	listener net.Listener, endpoint string,
) (assembly, error) {
	schemes, err := scheme.New()
	if err != nil {
		return assembly{}, err
	}
	collector := newCollector(config.CollectGarbage)
	options := registry.NewRESTOptionsGetter(endpoint, schemes, collector, config.OpenStorage)
	allowed, err := newAuthorization(config.RBAC)
	if err != nil {
		return assembly{}, err
	}
	generic := newConfig(schemes, id, tokens, listener, options)
	generic.Authorization.Authorizer = allowed
	clients, err := newClients(generic.LoopbackClientConfig)
	if err != nil {
		return assembly{}, err
	}
	shared := informers.NewSharedInformerFactory(clients.typed, 0)
	ready := inforce.New()
	ready.TrackPlugins(shared)
	resolver, err := s.configureAdmission(config, generic, shared, clients)
	if err != nil {
		return assembly{}, err
	}
	if err := ready.TrackServices(shared); err != nil {
		return assembly{}, err
	}
	custom, err := newCustomResources(generic, shared, options, resolver)
	if err != nil {
		return assembly{}, err
	}
	server, err := generic.Complete(shared).New("gatehouse", custom.GenericAPIServer)
	if err != nil {
		custom.GenericAPIServer.Destroy()
		return assembly{}, fmt.Errorf("creating the generic server: %w", err)
	}
	server.RegisterDestroyFunc(shared.Shutdown)
	access := registry.Access{
		Tokens: tokens, CA: s.client.CAData, DefaultAccounts: config.DefaultServiceAccounts,
		Authenticator: generic.Authentication.Authenticator, Authorizer: allowed, Roles: allowed.roles,
	}
	err = errors.Join(
		collector.Attach(server, config.DataDir != ""),
		s.installPaths(server, ready, tokens, config.Requests),
		registry.Install(ctx, server, schemes, options, published(id, listener),
			config.WarnNoPods, access),
		registry.InstallReviews(server, schemes, access),
		custom.join(server),
		installOpenAPI(server, generic))
	if err != nil {
		server.Destroy()
		return assembly{}, err
	}
	custom.shareOpenAPI(server)
	return assembly{server, custom}, nil
}

// newCollector returns a garbage collector, or nil if it is not enabled.
func newCollector(enabled bool) *garbagecollector.Controller {
	if !enabled {
		return nil
	}
	return garbagecollector.New()
}

// published returns the objects that each start of a server writes.
func published(id auth.Identity, listener net.Listener) []runtime.Object {
	address := listener.Addr().(*net.TCPAddr).AddrPort()
	return append(registry.KubernetesService(address), id.ExtensionAuthentication())
}

// configureAdmission adds the audit log and the admission plugins to generic.
// It returns the resolver for webhooks, which conversion webhooks share.
func (s *Server) configureAdmission(
	config Config, generic *genericapiserver.Config, shared informers.SharedInformerFactory,
	clients clients,
) (*serviceresolver.Resolver, error) {
	resolver, err := serviceresolver.New(config.Webhooks, shared)
	if err != nil {
		return nil, err
	}
	s.atStop(resolver.Close)
	if err := config.Audit.install(generic); err != nil {
		return nil, err
	}
	return resolver, config.Admission.install(generic, shared, clients, resolver)
}

// installPaths serves the paths that are no part of the Kubernetes API or, like
// the documents about tokens, no resource.
func (s *Server) installPaths(
	server *genericapiserver.GenericAPIServer, ready http.Handler, tokens *serviceaccounts.Tokens,
	log *requests.Log,
) error {
	documents, err := tokens.Documents(s.client.Host)
	if err != nil {
		return err
	}
	mux := server.Handler.NonGoRestfulMux
	mux.Handle(serviceaccounts.ConfigPath, documents)
	mux.Handle(serviceaccounts.KeysPath, documents)
	mux.HandlePrefix(inforce.Path, ready)
	if log != nil {
		mux.Handle(requests.Path, log)
		mux.HandlePrefix(requests.Path+"/", log)
	}
	return nil
}
