package main

import (
	"net/http"
	"net/url"

	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/dispatcher/plugin"
)

// way is how both sides reach webhooks, and what else is particular.
type way struct {
	// transport, if it is there, takes all requests; nothing is dialled.
	transport http.RoundTripper
	// address is where all services are.
	address string
	// options are gatehouse's.
	options []plugin.Option
}

// wrap implements webhookutil.AuthenticationInfoResolverWrapper.
func (w way) wrap(webhookutil.AuthenticationInfoResolver) webhookutil.AuthenticationInfoResolver {
	return w
}

// ClientConfigFor implements webhookutil.AuthenticationInfoResolver.
func (w way) ClientConfigFor(string) (*rest.Config, error) {
	return &rest.Config{Transport: w.transport}, nil
}

// ClientConfigForService implements webhookutil.AuthenticationInfoResolver.
func (w way) ClientConfigForService(string, string, int) (*rest.Config, error) {
	return &rest.Config{Transport: w.transport}, nil
}

// ResolveEndpoint implements webhookutil.ServiceResolver.
func (w way) ResolveEndpoint(string, string, int32) (*url.URL, error) {
	return &url.URL{Scheme: "https", Host: w.address}, nil
}
