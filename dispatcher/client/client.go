package client

import (
	"context"
	"fmt"
	"net"

	webhookutil "k8s.io/apiserver/pkg/util/webhook"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
)

// Config says how webhooks are reached over the network. The zero value is
// useful: anonymous, and with services found by their DNS names.
type Config struct {
	// AuthInfo gives the credentials and connection settings for a host or a
	// service. It is asked once per client configuration, at the first call;
	// what it returns is copied, never modified. The default knows no
	// kubeconfig: no credentials, the User-Agent kube-apiserver-admission and
	// a timeout of 30 s (S-280, S-281).
	AuthInfo webhookutil.AuthenticationInfoResolver
	// Services gives the address of a service. It is asked for every request,
	// not only for every connection, so that a service whose backends move is
	// followed at once (S-273); it should answer from what it already knows.
	// The default is the service's DNS name (S-274).
	Services webhookutil.ServiceResolver
	// Dial opens all connections, to proxies too, and takes precedence over
	// the dialer of AuthInfo. The default is that dialer or, without one, a
	// plain TCP connection with a limit of 30 s (S-288).
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Client reaches webhooks over the network. It is safe for concurrent use and
// belongs to whoever made it, who must Close it.
type Client struct {
	auth     webhookutil.AuthenticationInfoResolver
	services webhookutil.ServiceResolver
	dial     func(ctx context.Context, network, addr string) (net.Conn, error)
	routes   *cache
}

var _ dispatcher.Client = (*Client)(nil)

// New returns a client for cfg. It opens no connection.
func New(cfg Config) (*Client, error) {
	c := &Client{
		auth:     cfg.AuthInfo,
		services: cfg.Services,
		dial:     cfg.Dial,
		routes:   newCache(),
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
// are only errors.
func (c *Client) Endpoint(w *admission.Webhook) (*dispatcher.Endpoint, error) {
	if r := c.routes.find(&w.ClientConfig); r != nil {
		return r.endpoint, nil
	}
	// The target is worked out by every caller for itself, because its errors
	// carry the name of the webhook, which the cache does not know.
	t, err := targetOf(w)
	if err != nil {
		return nil, err
	}
	r, err := c.routes.add(keyOf(&w.ClientConfig), func() (*route, error) {
		return c.connect(t, w.ClientConfig.CABundle)
	})
	if err != nil {
		return nil, err
	}
	return r.endpoint, nil
}

// Close closes the idle connections of all endpoints. Calls that are under way
// finish, and their connections close with them. Closing twice is harmless.
func (c *Client) Close() {
	for _, r := range c.routes.close() {
		r.closeIdle()
	}
}
