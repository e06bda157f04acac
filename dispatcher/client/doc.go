// Package client knows how webhooks are reached. It answers the engine's
// question "where is this webhook, and with which HTTP client do I speak to
// it?" in one of two ways:
//
//	New        over HTTPS, as kube-apiserver does: by URL or by service, with
//	           the webhook's CA bundle and a kubeconfig's credentials
//	InProcess  by calling an http.Handler, without port, certificate or name
//
// # The first call
//
// Nothing is connected, resolved or read when a configuration is loaded. The
// first call of a webhook takes these steps:
//
//  1. The client configuration is turned into a target: base address, path,
//     and the key under which credentials are looked up (S-272, S-275, S-279).
//  2. The AuthenticationInfoResolver is asked for that key's rest.Config. A copy
//     of it is completed: CA bundle, server name, HTTP version (S-272, S-277,
//     S-278).
//  3. client-go turns the copy into a chain of round trippers. From the inside
//     out: connections and TLS; what the rest.Config wraps around them; the
//     service resolver; the counters of deprecated certificates; credentials,
//     User-Agent and impersonation (S-283, S-289). Around all of them come what
//     closes connections in the end, what leaves host code behind that takes too
//     long, and the guards: on redirects and on HTTP/2 connections that are taken
//     back or, with Config.Exact, client-go's retries.
//  4. The endpoint is published under the client configuration; webhooks with
//     equal client configurations share it and its connections (S-270).
//
// Every later call finds the endpoint with one atomic load and one map look-up.
// Endpoints stay until Retain is told that nobody uses them any more, or until
// Close; from then on their connections are closed as soon as they are idle.
//
// KubeconfigAuth is the AuthenticationInfoResolver that reads a kubeconfig, by
// default more carefully than kube-apiserver does.
//
// # Addresses
//
// A webhook with a URL may be anywhere, unless a DialPolicy denies some classes of
// addresses. It looks at the address of every connection at the moment at which that is
// made.
//
// # Concurrency
//
// Everything may be used from many goroutines. Concurrent first calls with one
// client configuration make one endpoint; calls with another one do not wait
// for them.
//
// No call waits beyond its context, although the host's resolvers and credential
// plugins know of none: endpoints are made on a goroutine of their own, and where
// such code runs in the exchange, the exchange does, too. What is left behind ends
// when the host's code returns, even after Close.
//
// # Errors
//
// An error while an endpoint is made goes to those who were waiting for it and
// is then forgotten, so that a token file that is back is noticed by the next
// call (kube-apiserver remembers it until the configuration changes, S-067).
// Errors keep the text that client-go gives them, because users see it behind
// the engine's prefix "could not get REST client".
//
// AnswerError and IsConnectionError tell errors whose text quotes what a webhook's server
// wrote from those whose text is this side's.
//
// # Logs
//
// The package logs nothing, and keeps client-go from logging addresses, headers and
// status lines of webhooks at any verbosity: a webhook may write there what it was sent.
// What net/http writes to the standard logger it cannot hold back: the beginning of an
// answer that nobody asked for.
//
// # What it does not do
//
// It sends nothing and sets no deadline but the HTTP client's own: query,
// content type, size limits and the reading of responses belong to the engine.
// It does not limit the rate (S-271) and, without Config.Exact, asks nobody
// twice.
package client
