// Package client connects the engine to webhooks: for each webhook it returns
// the endpoint's URL and the HTTP client to call it with. New calls webhooks
// over HTTPS, as kube-apiserver does; InProcess calls an http.Handler.
//
// Loading a configuration opens no connection, resolves no name and reads no
// file. The first call of a webhook takes these steps:
//
//  1. The client computes a target from the client configuration: base address,
//     path, and the key under which it looks up credentials (S-272, S-275,
//     S-279).
//  2. The AuthenticationInfoResolver returns the rest.Config for that key. The
//     client completes a copy of it: CA bundle, server name, HTTP version
//     (S-272, S-277, S-278).
//  3. client-go builds a chain of round trippers from the copy. From the inside
//     out: connections and TLS; the wrappers of the rest.Config; the service
//     resolver; the counters of deprecated certificates; credentials,
//     User-Agent and impersonation (S-283, S-289). The client adds the outer
//     layers: closing connections when the endpoint is dropped, leaving calls
//     whose credential plugin is slow, and limits on redirects and HTTP/2
//     connections or, with Config.Exact, client-go's retries.
//  4. The client caches the endpoint under the client configuration (S-270),
//     until Retain is called without a webhook that uses it, or until Close.
//
// All functions and methods are safe for concurrent use. No call waits longer
// than its context, although resolvers, credential plugins and the reading of files
// do not take a context: such code runs on a separate goroutine, which ends when
// the code returns, even after Close.
//
// Errors keep client-go's text, because users see it behind the engine's prefix
// "could not get REST client". The client marks errors whose text may quote the
// server's response, so that admission.Call.Origin can tell them from others.
//
// Calls are counted in the metrics of requests that the process has registered with
// client-go, such as those of k8s.io/component-base/metrics/prometheus/restclient,
// as those of client-go's REST client are. Without any they cost nothing.
//
// The package logs nothing, and keeps client-go from logging addresses, headers
// and status lines of webhooks at any verbosity, because a response may repeat
// what the request contained. It cannot suppress what net/http writes to the
// standard logger: the beginning of a response that arrives without a request.
//
// Numbers such as S-123 refer to docs/semantics.md.
package client
