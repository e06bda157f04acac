package client

import (
	"context"
	"fmt"
	"iter"
	"net"
	"net/http"
	"net/url"
	"slices"

	webhookutil "k8s.io/apiserver/pkg/util/webhook"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
)

// Config configures a Client. The zero value is useful: no credentials, and
// services by their DNS names.
type Config struct {
	// AuthInfo returns the credentials and connection settings for a host or a
	// service. The client calls it once per client configuration, at the first
	// call, and again when the files of a client certificate have been renewed.
	// It does so on a separate goroutine: if the call's context ends first, the
	// call fails, and later calls use the result. The client copies the result
	// and never modifies it. A call does not wait for a credential plugin
	// beyond its context either. A Transport or WrapTransport in the result
	// must itself return when the request's context is done. The default has no
	// kubeconfig: no credentials, the User-Agent kube-apiserver-admission and a
	// timeout of 30 s (S-280, S-281).
	AuthInfo webhookutil.AuthenticationInfoResolver
	// Services returns the address of a service. The client calls it for every
	// request, not only for every connection, so that it immediately follows a
	// service whose backends move (S-273). It should use a cache. A call does
	// not wait for it beyond its context, but every such call leaves a
	// goroutine behind until the resolver returns. The default is the service's
	// DNS name (S-274).
	Services webhookutil.ServiceResolver
	// Dial opens all connections, including those to proxies, and takes
	// precedence over the dialer of AuthInfo. The default is that dialer or,
	// without one, a plain TCP connection with a timeout of 30 s (S-288).
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// Proxy returns the proxy for a request, as http.Transport.Proxy does, and
	// takes precedence over that of AuthInfo. The default is that one or,
	// without one, the environment's.
	Proxy func(*http.Request) (*url.URL, error)
	// DialPolicy denies addresses to webhooks with a URL. The default is the
	// zero value, which denies none, as in kube-apiserver.
	DialPolicy DialPolicy
	// MaxHeaderBytes bounds the header of a response; a larger one fails the
	// call with an error that wraps a *limits.Error. Set it together with
	// limits.Limits.ResponseHeader, which is at least as strict. The default is
	// 64 KiB, where kube-apiserver reads up to 10 MiB. A Transport from
	// AuthInfo keeps its own limit.
	MaxHeaderBytes int64
	// Exact selects kube-apiserver's behaviour where it allows more than a
	// correct webhook needs:
	//
	//   - redirects are followed to any address, with the review and the
	//     credentials (S-284); by default only to the webhook's own scheme,
	//     host and port
	//   - a 429 or 5xx with an integer Retry-After is retried up to ten times
	//     (S-285); by default it is the final response
	//   - if an HTTP/2 server closes one connection after the other, the review
	//     is sent on a new one until the call's timeout; by default on three
	//     connections at most
	Exact bool
}

// defaultMaxHeader is the default of Config.MaxHeaderBytes.
const defaultMaxHeader = 64 << 10

// Client calls webhooks over the network. It is safe for concurrent use. The
// caller of New owns it and must Close it.
type Client struct {
	// config has all defaults applied.
	config Config
	// countDeprecated wraps a round tripper and counts servers with deprecated
	// certificates.
	countDeprecated func(http.RoundTripper) http.RoundTripper
	endpoints       *cache
}

var _ dispatcher.Client = (*Client)(nil)

// New returns a client for cfg. It opens no connection. It fails if the dial
// policy is invalid, or if the global counters of deprecated certificates
// cannot be found (S-289); they are those of kube-apiserver's own webhook
// client.
func New(cfg Config) (*Client, error) {
	if err := cfg.DialPolicy.validate(); err != nil {
		return nil, err
	}
	cfg.DialPolicy.Allow = slices.Clone(cfg.DialPolicy.Allow)
	if cfg.MaxHeaderBytes <= 0 {
		cfg.MaxHeaderBytes = defaultMaxHeader
	}
	countDeprecated, err := deprecatedCertificateCounter()
	if err != nil {
		return nil, err
	}
	if cfg.AuthInfo == nil {
		if cfg.AuthInfo, err = webhookutil.NewDefaultAuthenticationInfoResolver(""); err != nil {
			return nil, fmt.Errorf("make the default authentication info resolver: %w", err)
		}
	}
	if cfg.Services == nil {
		cfg.Services = webhookutil.NewDefaultServiceResolver()
	}
	return &Client{config: cfg, countDeprecated: countDeprecated, endpoints: newCache()}, nil
}

// Endpoint returns the endpoint of w, and creates it at the first call with w's
// client configuration. Errors are not cached (S-270). After Close it always
// returns an error. If ctx ends first, Endpoint returns ctx's error; the
// endpoint is still created for later calls.
//
// If the files of a client certificate have changed, Endpoint drops the
// endpoint, as Retain does, and creates another. The client then sends no more
// reviews with the old certificate, and no call fails. Endpoint detects the
// change after the next handshake, and a minute after the renewal at the
// latest. While the files cannot be read, the connections that are open remain in
// use.
func (c *Client) Endpoint(ctx context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	if e := c.endpoints.get(&w.ClientConfig); e != nil {
		if !e.certificate.wasRenewed(ctx) {
			return e.endpoint, nil
		}
		c.endpoints.drop(cacheKeyOf(&w.ClientConfig), e)
		e.closeWhenIdle()
	}
	// Every caller computes the target itself, because its errors contain the
	// name of the webhook, which the cache does not know.
	t, err := targetOf(w)
	if err != nil {
		return nil, err
	}
	create := func() (*cachedEndpoint, error) {
		return c.newEndpoint(t, w.ClientConfig.CABundle)
	}
	e, err := c.endpoints.getOrCreate(ctx, cacheKeyOf(&w.ClientConfig), create)
	if err != nil {
		return nil, err
	}
	return e.endpoint, nil
}

// Retain drops the endpoints that none of the webhooks uses and closes their
// idle connections. A call in flight on a dropped endpoint finishes, and its
// connection is closed then. Until the next Retain the client still serves
// other webhooks, for example to requests that began before, but creates
// endpoint and connections for that call alone.
//
// Call it after publishing a new set of webhooks, such as Snapshot.All of
// package matching in source.Watched.Published. A client that serves several
// sources needs the webhooks of all of them. Retain reads the sequence once and
// does not keep it. It does not wait for calls, and calls do not wait for it.
func (c *Client) Retain(webhooks iter.Seq[*admission.Webhook]) {
	inUse := map[cacheKey]struct{}{}
	for w := range webhooks {
		inUse[cacheKeyOf(&w.ClientConfig)] = struct{}{}
	}
	for _, e := range c.endpoints.retain(inUse) {
		e.closeWhenIdle()
	}
}

// Close drops all endpoints, as Retain does with unused ones. Calls in flight
// finish. Closing twice is harmless.
func (c *Client) Close() {
	for _, e := range c.endpoints.close() {
		e.closeWhenIdle()
	}
}
