package main

import (
	"net/http"
	"net/url"

	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/dispatcher/plugin"
)

// route is how both sides reach webhooks, and options of gatehouse.
type route struct {
	// transport, if it is there, takes all requests; nothing is dialled.
	transport http.RoundTripper
	// address is where all services are.
	address string
	// options are gatehouse's.
	options []plugin.Option
}

// wrap implements webhookutil.AuthenticationInfoResolverWrapper.
func (r route) wrap(webhookutil.AuthenticationInfoResolver) webhookutil.AuthenticationInfoResolver {
	return r
}

// ClientConfigFor implements webhookutil.AuthenticationInfoResolver.
func (r route) ClientConfigFor(string) (*rest.Config, error) {
	return &rest.Config{Transport: r.transport}, nil
}

// ClientConfigForService implements webhookutil.AuthenticationInfoResolver.
func (r route) ClientConfigForService(string, string, int) (*rest.Config, error) {
	return &rest.Config{Transport: r.transport}, nil
}

// ResolveEndpoint implements webhookutil.ServiceResolver.
func (r route) ResolveEndpoint(string, string, int32) (*url.URL, error) {
	return &url.URL{Scheme: "https", Host: r.address}, nil
}
