// Package client connects the engine to webhooks: for each webhook it returns the
// endpoint's URL and the HTTP client to call it with. There are two clients:
//
//	New        calls webhooks over HTTPS, as kube-apiserver does: by URL or by service,
//	           with the webhook's CA bundle and a kubeconfig's credentials
//	InProcess  calls an http.Handler, without port, certificate or name resolution
//
// # The first call
//
// Loading a configuration opens no connection, resolves no name and reads no file. The
// first call of a webhook takes these steps:
//
//  1. The client computes a target from the client configuration: base address, path,
//     and the key under which it looks up credentials (S-272, S-275, S-279).
//  2. The AuthenticationInfoResolver returns the rest.Config for that key. The client
//     completes a copy of it: CA bundle, server name, HTTP version (S-272, S-277,
//     S-278).
//  3. client-go builds a chain of round trippers from the copy. From the inside out:
//     connections and TLS; the wrappers of the rest.Config; the service resolver; the
//     counters of deprecated certificates; credentials, User-Agent and impersonation
//     (S-283, S-289). The client adds the outer layers: closing connections when the
//     endpoint is dropped, leaving calls whose credential plugin is slow, and limits on
//     redirects and HTTP/2 connections or, with Config.Exact, client-go's retries.
//  4. The client caches the endpoint under the client configuration. Webhooks with
//     equal client configurations share it and its connections (S-270).
//
// Every later call finds the endpoint with one atomic load and one map look-up. An
// endpoint stays until Retain is called without a webhook that uses it, or until Close;
// its connections are then closed as soon as they are idle.
//
// KubeconfigAuth is an AuthenticationInfoResolver that reads a kubeconfig, by default
// more strictly than kube-apiserver does.
//
// # Addresses
//
// By default a webhook with a URL may have any address. A DialPolicy denies classes of
// addresses; it checks the address of every connection when the connection is made.
//
// # Concurrency
//
// All functions and methods are safe for concurrent use. Concurrent first calls with
// the same client configuration create one endpoint; calls with another client
// configuration do not wait for them.
//
// No call waits longer than its context, although resolvers and credential plugins do
// not take a context: the client creates endpoints on separate goroutines, and runs an
// exchange on a separate goroutine if such code takes part in it. A goroutine that its
// call has left ends when the embedder's code returns, even after Close.
//
// # Errors
//
// If creating an endpoint fails, all callers that wait for it get the error. The client
// does not cache the error, so that the next call notices, for example, that a token
// file is back (kube-apiserver caches it until the configuration changes, S-067).
// Errors keep client-go's text, because users see it behind the engine's prefix "could
// not get REST client".
//
// ResponseError and IsConnectionError separate errors whose text may quote the server's
// response from errors whose text does not.
//
// # Logs
//
// The package logs nothing, and keeps client-go from logging addresses, headers and
// status lines of webhooks at any verbosity, because a response may repeat what the
// request contained. It cannot suppress what net/http writes to the standard logger:
// the beginning of a response that arrives without a request.
//
// # What it does not do
//
// The package sends no request, and sets no deadline but the HTTP client's timeout:
// query, content type, size limits and reading responses are the engine's job. It does
// not limit the rate (S-271) and, without Config.Exact, does not retry.
package client
