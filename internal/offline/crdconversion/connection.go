package crdconversion

import (
	"net/http"

	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/dispatcher/client"
)

// connections returns the connections to webhooks. It does not use the resolver
// of the argument, which has only the credentials of the pod in which it runs.
// These are for the API server, and Config.Dial may connect to another server in
// its name.
func (c Config) connections(
	webhookutil.AuthenticationInfoResolver,
) webhookutil.AuthenticationInfoResolver {
	return &webhookutil.AuthenticationInfoResolverDelegator{
		ClientConfigForFunc: func(string) (*rest.Config, error) { return c.connection(), nil },
		ClientConfigForServiceFunc: func(string, string, int) (*rest.Config, error) {
			return c.connection(), nil
		},
	}
}

func (c Config) connection() *rest.Config {
	config := &rest.Config{
		// What kube-apiserver calls itself, here as for admission webhooks.
		UserAgent:                 "kube-apiserver-admission",
		Dial:                      c.Dial,
		Proxy:                     c.Proxy,
		Timeout:                   c.Timeout,
		WarningHandlerWithContext: rest.NoWarnings{},
	}
	if config.Timeout == 0 {
		config.Timeout = defaultTimeout
	}
	config.Wrap(
		func(next http.RoundTripper) http.RoundTripper { return client.SameOrigin(bounded{next}) })
	return config
}
