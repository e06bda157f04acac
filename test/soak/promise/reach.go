package promise

import (
	"net/http"
	"net/url"

	apiadmission "k8s.io/apiserver/pkg/admission"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"
)

// Initialize implements apiadmission.PluginInitializer: it hands in the way to
// webhooks.
func (s *scene) Initialize(p apiadmission.Interface) {
	if p, ok := p.(interface {
		SetServiceResolver(webhookutil.ServiceResolver)
	}); ok {
		p.SetServiceResolver(s)
	}
	if p, ok := p.(interface {
		SetAuthenticationInfoResolverWrapper(webhookutil.AuthenticationInfoResolverWrapper)
	}); ok {
		p.SetAuthenticationInfoResolverWrapper(func(next webhookutil.AuthenticationInfoResolver) webhookutil.AuthenticationInfoResolver {
			return connected{next, s}
		})
	}
}

// ResolveEndpoint implements webhookutil.ServiceResolver.
func (s *scene) ResolveEndpoint(string, string, int32) (*url.URL, error) {
	if s.resolve != nil {
		return s.resolve()
	}
	return &url.URL{Scheme: "https", Host: s.server.Address()}, nil
}

// connected has all connections end at the server.
type connected struct {
	webhookutil.AuthenticationInfoResolver
	scene *scene
}

// ClientConfigFor implements webhookutil.AuthenticationInfoResolver.
func (c connected) ClientConfigFor(hostPort string) (*rest.Config, error) {
	return c.connect(c.AuthenticationInfoResolver.ClientConfigFor(hostPort))
}

// ClientConfigForService implements webhookutil.AuthenticationInfoResolver.
func (c connected) ClientConfigForService(name, namespace string, port int) (*rest.Config, error) {
	return c.connect(c.AuthenticationInfoResolver.ClientConfigForService(name, namespace, port))
}

func (c connected) connect(found *rest.Config, err error) (*rest.Config, error) {
	if err != nil {
		return nil, err
	}
	config := rest.CopyConfig(found)
	config.Dial = c.scene.connections.through(c.scene.server.Dial)
	config.Proxy = func(*http.Request) (*url.URL, error) { return nil, nil }
	return config, nil
}
