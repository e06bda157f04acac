package client

import (
	"net/http"
	"reflect"
	"slices"

	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/dispatcher"
)

// newEndpoint creates the endpoint of t. It opens no connection.
func (c *Client) newEndpoint(t target, caBundle []byte) (*cachedEndpoint, error) {
	cfg, err := c.restConfig(t, caBundle)
	if err != nil {
		return nil, err
	}
	u, err := baseURL(cfg)
	if err != nil {
		return nil, err
	}
	if err := c.applyDialPolicy(cfg, t); err != nil {
		return nil, err
	}
	drain := &drainTransport{maxHeader: c.config.MaxHeaderBytes}
	drain.attach(cfg)
	var certificate *clientCertificate
	if drain.next, certificate, err = transportFor(cfg); err != nil {
		return nil, err
	}
	var chain http.RoundTripper = drain
	if cfg.ExecProvider != nil {
		chain = detachTransport{wrapper{chain}}
	}
	chain = localErrorTransport{wrapper{c.addGuards(chain, t)}}
	caller := &http.Client{Transport: chain, Timeout: cfg.Timeout}
	if c.config.Exact {
		caller.CheckRedirect = checkRestart
	}
	return &cachedEndpoint{
		endpoint:      &dispatcher.Endpoint{URL: u, HTTP: caller, Meter: newMeter(u.Host)},
		certificate:   certificate,
		closeWhenIdle: drain.closeWhenIdle,
	}, nil
}

// applyDialPolicy makes cfg check the addresses of connections for t, if there
// is a dial policy. Services are not subject to it, unless redirects may lead
// elsewhere.
func (c *Client) applyDialPolicy(cfg *rest.Config, t target) error {
	isService := t.service != (service{})
	if !c.config.DialPolicy.enabled() || isService && !c.config.Exact {
		return nil
	}
	return dialGuard{policy: &c.config.DialPolicy, host: t.host}.install(cfg)
}

// isDefaultResolver reports whether services is the default resolver, which
// computes addresses and never blocks.
func isDefaultResolver(services webhookutil.ServiceResolver) bool {
	// Compare types: pointers to values without fields may or may not be equal.
	return reflect.TypeOf(services) == reflect.TypeOf(webhookutil.NewDefaultServiceResolver())
}

// addGuards wraps rt in limits on redirects and HTTP/2 connections or, in exact
// mode, in kube-apiserver's retries.
func (c *Client) addGuards(rt http.RoundTripper, t target) http.RoundTripper {
	if c.config.Exact {
		return retryTransport{wrapper{rt}}
	}
	if t.http2 {
		rt = connectionLimitTransport{wrapper{rt}}
	}
	return sameOriginTransport{wrapper{rt}}
}

// restConfig looks up the credentials for t and completes a copy of them.
func (c *Client) restConfig(t target, caBundle []byte) (*rest.Config, error) {
	auth, err := c.authConfig(t)
	if err != nil {
		return nil, err
	}
	cfg := rest.CopyConfig(auth)
	cfg.Host, cfg.APIPath = t.base, t.path
	if c.config.Dial != nil {
		cfg.Dial = c.config.Dial
	}
	if c.config.Proxy != nil {
		cfg.Proxy = c.config.Proxy
	}
	if !t.http2 {
		cfg.NextProtos = []string{"http/1.1"}
	}
	if t.service != (service{}) {
		c.completeForService(cfg, t.service)
	}
	cfg.CAData = joinCA(cfg.CAData, caBundle)
	cfg.Wrap(c.countDeprecated)
	return cfg, nil
}

// authConfig looks up the credentials by service or by host (S-279).
func (c *Client) authConfig(t target) (*rest.Config, error) {
	if s := t.service; s != (service{}) {
		return c.config.AuthInfo.ClientConfigForService(s.name, s.namespace, int(s.port))
	}
	return c.config.AuthInfo.ClientConfigFor(t.authKey)
}

// completeForService makes TLS expect the service's name, whatever address the
// service resolves to, unless the credentials have a server name (S-272).
func (c *Client) completeForService(cfg *rest.Config, s service) {
	if cfg.ServerName == "" {
		cfg.ServerName = s.serverName()
	}
	cfg.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return &serviceTransport{
			wrapper: wrapper{next}, services: c.config.Services, service: s,
			inline: isDefaultResolver(c.config.Services), mark: c.config.DialPolicy.enabled(),
		}
	})
}

// joinCA appends the webhook's CA bundle to the CA data of the credentials. If
// both are empty the system's roots apply (S-278). It does not write into its
// arguments, which other clients may share.
func joinCA(data, bundle []byte) []byte {
	if len(data) == 0 {
		return bundle
	}
	return slices.Concat(data, []byte("\n"), bundle)
}
