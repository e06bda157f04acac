package apiserver

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	apiadmission "k8s.io/apiserver/pkg/admission"
	apiproxy "k8s.io/apiserver/pkg/util/proxy"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/connrotation"

	"example.com/gatehouse/internal/offline/resolve"
)

// Webhooks says how webhooks are reached, those of admission and those that
// convert custom resources. A service is looked for in Handlers, then in Routes,
// and at last in the server itself: its Service says which of the ports of its
// EndpointSlices is meant, and one of the endpoints that are ready is called. There
// is nobody to make EndpointSlices but the clients. A service of type ExternalName
// is an error, as it is in kube-apiserver. The zero value knows what is stored and
// connects to nothing but this machine.
type Webhooks struct {
	// Handlers stand for services. They are called without TLS; the caBundle of
	// who refers to them has to be empty or sound all the same. What they are sent,
	// and what may go wrong, is described at client.InProcess. The map belongs to
	// the server from Start on.
	Handlers map[Service]http.Handler
	// Routes lead addresses elsewhere, those of services, NAME.NAMESPACE.svc:PORT,
	// and those in URLs. They may lead off the machine.
	Routes resolve.Table
	// Anywhere lets the server connect to every address. By default an address is
	// refused, unless it is routed, if it is neither a loopback one nor localhost:
	// whoever tries out the configurations of a cluster does not want its webhooks
	// called. Names are not even looked up then, and proxies not used.
	Anywhere bool
}

// Service names a service that a webhook configuration or a
// CustomResourceDefinition refers to.
type Service struct {
	Namespace, Name string
	// Port is the service's own; 0, the default, stands for all that have no
	// handler to themselves.
	Port int32
}

// host is how a service is addressed.
func (s Service) host() string {
	return net.JoinHostPort(s.Name+"."+s.Namespace+".svc", strconv.Itoa(int(s.Port)))
}

// services knows where webhooks are. Whoever calls them asks twice: ResolveEndpoint
// for the address, and what wrap returns for the way there.
type services struct {
	config Webhooks
	stored stored
	dialer *connrotation.Dialer
}

var (
	_ webhookutil.ServiceResolver    = (*services)(nil)
	_ apiadmission.PluginInitializer = (*services)(nil)
)

func newServices(config Webhooks, shared informers.SharedInformerFactory) (*services, error) {
	objects, err := newStored(shared)
	if err != nil {
		return nil, err
	}
	s := &services{config: config, stored: objects}
	s.dialer = connrotation.NewDialer(s.dial)
	return s, nil
}

// close ends all connections to webhooks.
func (s *services) close() error {
	s.dialer.CloseAll()
	return nil
}

// Initialize implements apiadmission.PluginInitializer: plugins that call webhooks
// learn where they are.
func (s *services) Initialize(plugin apiadmission.Interface) {
	if wants, ok := plugin.(interface {
		SetServiceResolver(webhookutil.ServiceResolver)
	}); ok {
		wants.SetServiceResolver(s)
	}
	if wants, ok := plugin.(interface {
		SetAuthenticationInfoResolverWrapper(webhookutil.AuthenticationInfoResolverWrapper)
	}); ok {
		wants.SetAuthenticationInfoResolverWrapper(s.wrap)
	}
}

// ResolveEndpoint implements webhookutil.ServiceResolver. What has a handler or a
// route keeps its own address, which the way there understands.
func (s *services) ResolveEndpoint(namespace, name string, port int32) (*url.URL, error) {
	service := Service{namespace, name, port}
	_, routed := s.config.Routes.To(service.host())
	if routed || s.handler(service) != nil {
		return &url.URL{Scheme: "https", Host: service.host()}, nil
	}
	return apiproxy.ResolveEndpoint(s.stored.services, s.stored, namespace, name, port)
}

// handler returns nil if the service has none.
func (s *services) handler(service Service) http.Handler {
	if h := s.config.Handlers[service]; h != nil {
		return h
	}
	service.Port = 0
	return s.config.Handlers[service]
}

// wrap leads all connections through dial, and those to handlers to them. It is a
// webhookutil.AuthenticationInfoResolverWrapper.
func (s *services) wrap(next webhookutil.AuthenticationInfoResolver) webhookutil.AuthenticationInfoResolver {
	return &webhookutil.AuthenticationInfoResolverDelegator{
		ClientConfigForFunc: func(address string) (*rest.Config, error) {
			return s.lead(next.ClientConfigFor(address))
		},
		ClientConfigForServiceFunc: func(name, namespace string, port int) (*rest.Config, error) {
			config, err := s.lead(next.ClientConfigForService(name, namespace, port))
			if err != nil {
				return nil, err
			}
			service := Service{namespace, name, int32(port)} //nolint:gosec // it is an int32 in the reference
			if h := s.handler(service); h != nil {
				config.Wrap(func(http.RoundTripper) http.RoundTripper { return newInProcess(service, h) })
			}
			return config, nil
		},
	}
}

func (s *services) lead(found *rest.Config, err error) (*rest.Config, error) {
	if err != nil {
		return nil, err
	}
	config := rest.CopyConfig(found)
	config.Dial, config.Proxy = s.dialer.DialContext, s.proxy
	return config, nil
}

// proxy is what http.Transport.Proxy wants.
func (s *services) proxy(r *http.Request) (*url.URL, error) {
	if !s.config.Anywhere {
		return nil, nil
	}
	return s.config.Routes.Proxy(r)
}

func (s *services) dial(ctx context.Context, network, address string) (net.Conn, error) {
	_, routed := s.config.Routes.To(address)
	if !routed && !s.config.Anywhere && !local(address) {
		return nil, fmt.Errorf("%s is not on this machine, and the server has not been told that it may connect elsewhere", address)
	}
	return s.config.Routes.Dial(ctx, network, address)
}

// local reports whether an address is one of this machine's loopback interface.
func local(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback() || strings.EqualFold(host, "localhost")
}
