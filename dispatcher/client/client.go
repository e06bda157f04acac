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

// Config says how webhooks are reached over the network. The zero value is
// useful: anonymous, and with services found by their DNS names.
type Config struct {
	// AuthInfo gives the credentials and connection settings for a host or a
	// service. It is asked once per client configuration, at the first call, on a
	// goroutine of its own: a call whose time is up before it answers fails, and
	// the answer is for later calls. What it returns is copied, never modified.
	// A credential plugin is run without keeping a call beyond its time, too; a
	// transport or a wrapper that the credentials bring along must itself return
	// when the request's context is done. The default knows no
	// kubeconfig: no credentials, the User-Agent kube-apiserver-admission and
	// a timeout of 30 s (S-280, S-281).
	AuthInfo webhookutil.AuthenticationInfoResolver
	// Services gives the address of a service. It is asked for every request,
	// not only for every connection, so that a service whose backends move is
	// followed at once (S-273); it should answer from what it already knows. A
	// call does not wait for it beyond its time, but every such call leaves a
	// goroutine behind until the resolver returns.
	// The default is the service's DNS name (S-274).
	Services webhookutil.ServiceResolver
	// Dial opens all connections, to proxies too, and takes precedence over
	// the dialer of AuthInfo. The default is that dialer or, without one, a
	// plain TCP connection with a limit of 30 s (S-288).
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// Proxy chooses a proxy for a request, as http.Transport.Proxy does, and takes
	// precedence over that of AuthInfo. The default is that one or, without one, the
	// environment's.
	Proxy func(*http.Request) (*url.URL, error)
	// URLs says which addresses webhooks with a URL may not be at. The default is
	// the zero value: none is denied, as in kube-apiserver.
	URLs DialPolicy
	// MaxHeaderBytes bounds the header of a response; a larger one fails the
	// call with an error that wraps a *limits.Error. It belongs together with
	// limits.Limits.ResponseHeader, which counts no less strictly. The default
	// is 64 KiB, where kube-apiserver reads up to 10 MiB. A
	// transport that AuthInfo brings along keeps its own limit.
	MaxHeaderBytes int64
	// Exact does what kube-apiserver does where that is more than an honest
	// webhook needs. The default is the safe behaviour in each case:
	//
	//   - redirects are followed to any address, with the review and the
	//     credentials (S-284); by default only to the webhook's own scheme, host
	//     and port
	//   - a 429 or a 5xx with an integer Retry-After is asked again, up to ten
	//     times (S-285); by default it is the answer
	//   - an HTTP/2 server that takes back one connection after the other gets a
	//     new one until the call's time is up; by default a review is sent on
	//     three connections at most
	Exact bool
}

// defaultMaxHeader is the default of Config.MaxHeaderBytes.
const defaultMaxHeader = 64 << 10

// Client reaches webhooks over the network. It is safe for concurrent use and
// belongs to whoever made it, who must Close it.
type Client struct {
	auth     webhookutil.AuthenticationInfoResolver
	services webhookutil.ServiceResolver
	dial     func(ctx context.Context, network, addr string) (net.Conn, error)
	proxy    func(*http.Request) (*url.URL, error)
	// deprecated counts the certificates of the servers behind a round tripper.
	deprecated func(http.RoundTripper) http.RoundTripper
	urls       DialPolicy
	maxHeader  int64
	exact      bool
	routes     *cache
}

var _ dispatcher.Client = (*Client)(nil)

// New returns a client for cfg. It opens no connection. It fails if the dial policy
// makes no sense, or if the global counters of deprecated certificates cannot be
// reached (S-289), which are those of kube-apiserver's own webhook client.
func New(cfg Config) (*Client, error) {
	c := &Client{
		auth:      cfg.AuthInfo,
		services:  cfg.Services,
		dial:      cfg.Dial,
		proxy:     cfg.Proxy,
		urls:      cfg.URLs,
		maxHeader: cfg.MaxHeaderBytes,
		exact:     cfg.Exact,
		routes:    newCache(),
	}
	if err := c.urls.validate(); err != nil {
		return nil, err
	}
	c.urls.Allow = slices.Clone(c.urls.Allow)
	if c.maxHeader <= 0 {
		c.maxHeader = defaultMaxHeader
	}
	var err error
	if c.deprecated, err = countDeprecated(); err != nil {
		return nil, err
	}
	if c.auth == nil {
		anonymous, err := webhookutil.NewDefaultAuthenticationInfoResolver("")
		if err != nil {
			return nil, fmt.Errorf("make the default authentication info resolver: %w", err)
		}
		c.auth = anonymous
	}
	if c.services == nil {
		c.services = webhookutil.NewDefaultServiceResolver()
	}
	return c, nil
}

// Endpoint returns how to reach w, and makes it at the first call with w's
// client configuration. An error is not remembered (S-270). After Close there
// are only errors. If ctx is done first, its error is returned; the endpoint is
// made all the same, for later calls.
func (c *Client) Endpoint(ctx context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	if r := c.routes.find(&w.ClientConfig); r != nil {
		return r.endpoint, nil
	}
	// The target is worked out by every caller for itself, because its errors
	// carry the name of the webhook, which the cache does not know.
	t, err := targetOf(w)
	if err != nil {
		return nil, err
	}
	r, err := c.routes.add(ctx, keyOf(&w.ClientConfig), func() (*route, error) {
		return c.connect(t, w.ClientConfig.CABundle)
	})
	if err != nil {
		return nil, err
	}
	return r.endpoint, nil
}

// Retain drops the endpoints that none of the webhooks uses and closes their
// idle connections; a call that is under way on one of them finishes, and its
// connection is closed then. Until the next Retain other webhooks can still be
// reached, by requests that began before or by those that are faster than
// Retain, but endpoint and connections are then made for that call alone.
//
// It is for those who publish a new set of webhooks, after they have published
// it; a client that serves several sources has to be given the webhooks of all
// of them. The sequence is read once and not kept. Retain does not wait for
// calls, and calls do not wait for it.
func (c *Client) Retain(webhooks iter.Seq[*admission.Webhook]) {
	wanted := map[key]struct{}{}
	for w := range webhooks {
		wanted[keyOf(&w.ClientConfig)] = struct{}{}
	}
	for _, r := range c.routes.retain(wanted) {
		r.retire()
	}
}

// Close drops all endpoints, as Retain does with those that are not wanted.
// Calls that are under way finish. Closing twice is harmless.
func (c *Client) Close() {
	for _, r := range c.routes.close() {
		r.retire()
	}
}
