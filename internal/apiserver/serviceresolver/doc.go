// Package serviceresolver connects the API server to webhooks: admission
// webhooks and the conversion webhooks of custom resources.
//
// A Resolver is handed to the admission plugins and to
// k8s.io/apiextensions-apiserver in place of kube-apiserver's service resolver.
// They call it twice: ResolveEndpoint returns the URL of a service, and
// WrapAuthInfoResolver returns the client configuration, whose Dial function is
// the Resolver's. A service is looked up in Config.Handlers, in Config.Routes,
// and then among the Services and EndpointSlices that clients created in the
// server.
//
// Concurrency: all methods may be called concurrently.
package serviceresolver
