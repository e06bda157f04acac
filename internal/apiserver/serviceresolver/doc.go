// Package serviceresolver connects the API server to webhooks: admission
// webhooks and the conversion webhooks of custom resources.
//
// A Resolver replaces kube-apiserver's service resolver in the admission
// plugins and in k8s.io/apiextensions-apiserver. They call it twice:
// ResolveEndpoint returns the URL of a service, and WrapAuthInfoResolver
// returns the client configuration with the Resolver's Dial function. The
// Resolver looks up a service in Config.Handlers, then in Config.Routes, and
// then among the stored Services and EndpointSlices.
//
// Concurrency: all methods may be called concurrently.
package serviceresolver
