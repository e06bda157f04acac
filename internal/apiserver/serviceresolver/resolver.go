package serviceresolver

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"

	apiadmission "k8s.io/apiserver/pkg/admission"
	apiproxy "k8s.io/apiserver/pkg/util/proxy"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/informers"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/connrotation"

	"example.com/gatehouse/internal/offline/resolve"
)

// Config determines how the server connects to webhooks. With the zero value,
// the server finds its stored services, and connects to this machine only.
type Config struct {
	// Handlers replace services. The server calls them in this process and
	// without TLS. The caBundle of a clientConfig must still be empty or valid.
	// client.InProcess documents the requests of handlers. The map must not be
	// changed after Start.
	Handlers map[Service]http.Handler
	// Routes replace the addresses of services, NAME.NAMESPACE.svc:PORT, and of
	// URLs. The new address may be on another machine.
	Routes resolve.Table
	// Anywhere allows connections to other machines and the use of proxies; see
	// resolve.Dialer.
	Anywhere bool
}

// Service names a service in a clientConfig.
type Service struct {
	Namespace, Name string
	// Port is the port of the service. In Config.Handlers, 0 stands for every
	// port without a handler.
	Port int32
}

// host returns the HOST:PORT by which the API server addresses the service.
func (s Service) host() string {
	return net.JoinHostPort(s.Name+"."+s.Namespace+".svc", strconv.Itoa(int(s.Port)))
}

// Resolver finds webhooks and connects to them.
type Resolver struct {
	config   Config
	services corelisters.ServiceLister
	slices   apiproxy.EndpointSliceGetter
	// access has the rule for connections, and dialer tracks them.
	access *resolve.Dialer
	dialer *connrotation.Dialer
}

var (
	_ webhookutil.ServiceResolver    = (*Resolver)(nil)
	_ apiadmission.PluginInitializer = (*Resolver)(nil)
)

// New returns a resolver that looks up services in the informers of shared. The
// caller must call Close.
func New(config Config, shared informers.SharedInformerFactory) (*Resolver, error) {
	slices, err := apiproxy.NewEndpointSliceIndexerGetter(shared.Discovery().V1().EndpointSlices())
	if err != nil {
		return nil, fmt.Errorf("indexing EndpointSlices by service: %w", err)
	}
	r := &Resolver{
		config: config, services: shared.Core().V1().Services().Lister(), slices: withAddresses{slices},
		access: &resolve.Dialer{Routes: config.Routes, Anywhere: config.Anywhere},
	}
	r.dialer = connrotation.NewDialer(r.access.Dial)
	return r, nil
}

// Close ends all connections to webhooks.
func (r *Resolver) Close() error {
	r.dialer.CloseAll()
	return nil
}

// Initialize implements apiadmission.PluginInitializer: it passes the resolver
// to the plugins that call webhooks.
func (r *Resolver) Initialize(plugin apiadmission.Interface) {
	if wants, ok := plugin.(interface {
		SetServiceResolver(webhookutil.ServiceResolver)
	}); ok {
		wants.SetServiceResolver(r)
	}
	if wants, ok := plugin.(interface {
		SetAuthenticationInfoResolverWrapper(webhookutil.AuthenticationInfoResolverWrapper)
	}); ok {
		wants.SetAuthenticationInfoResolverWrapper(r.WrapAuthInfoResolver)
	}
}

// ResolveEndpoint implements webhookutil.ServiceResolver. A service with a
// handler or a route keeps its name, which WrapAuthInfoResolver and the dialer
// recognize.
func (r *Resolver) ResolveEndpoint(namespace, name string, port int32) (*url.URL, error) {
	service := Service{namespace, name, port}
	_, routed := r.config.Routes.To(service.host())
	if routed || r.handler(service) != nil {
		return &url.URL{Scheme: "https", Host: service.host()}, nil
	}
	return apiproxy.ResolveEndpoint(r.services, r.slices, namespace, name, port)
}

// handler returns the handler of a service, or nil.
func (r *Resolver) handler(service Service) http.Handler {
	if h := r.config.Handlers[service]; h != nil {
		return h
	}
	service.Port = 0
	return r.config.Handlers[service]
}

// WrapAuthInfoResolver makes the clients of webhooks connect through the
// resolver, or call the handler of their service. It is a
// webhookutil.AuthenticationInfoResolverWrapper.
func (r *Resolver) WrapAuthInfoResolver(
	next webhookutil.AuthenticationInfoResolver,
) webhookutil.AuthenticationInfoResolver {
	return &webhookutil.AuthenticationInfoResolverDelegator{
		ClientConfigForFunc: func(address string) (*rest.Config, error) {
			return r.withDialer(next.ClientConfigFor(address))
		},
		ClientConfigForServiceFunc: func(name, namespace string, port int) (*rest.Config, error) {
			config, err := r.withDialer(next.ClientConfigForService(name, namespace, port))
			if err != nil {
				return nil, err
			}
			service := Service{namespace, name, int32(port)} //nolint:gosec // an int32 in the API
			if h := r.handler(service); h != nil {
				config.Wrap(func(http.RoundTripper) http.RoundTripper {
					return newHandlerTransport(service, h)
				})
			}
			return config, nil
		},
	}
}

func (r *Resolver) withDialer(config *rest.Config, err error) (*rest.Config, error) {
	if err != nil {
		return nil, err
	}
	config = rest.CopyConfig(config)
	config.Dial, config.Proxy = r.dialer.DialContext, r.access.Proxy
	return config, nil
}
