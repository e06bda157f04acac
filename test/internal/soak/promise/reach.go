package promise

import (
	"net/url"

	apiadmission "k8s.io/apiserver/pkg/admission"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"

	"example.com/gatehouse/internal/testutil/dialtest"
)

// Initialize implements apiadmission.PluginInitializer: it sets the resolvers
// for webhooks.
func (s *scene) Initialize(p apiadmission.Interface) {
	if p, ok := p.(interface {
		SetServiceResolver(webhookutil.ServiceResolver)
	}); ok {
		p.SetServiceResolver(s)
	}
	if p, ok := p.(interface {
		SetAuthenticationInfoResolverWrapper(webhookutil.AuthenticationInfoResolverWrapper)
	}); ok {
		p.SetAuthenticationInfoResolverWrapper(
			func(next webhookutil.AuthenticationInfoResolver) webhookutil.AuthenticationInfoResolver {
				return dialtest.Through(s.connections.through(s.server.Dial), next)
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
