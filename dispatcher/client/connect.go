package client

import (
	"net/http"
	"reflect"
	"slices"

	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/dispatcher"
)

// connect makes the way to t. No connection is opened yet.
func (c *Client) connect(t target, caBundle []byte) (*route, error) {
	cfg, err := c.configFor(t, caBundle)
	if err != nil {
		return nil, err
	}
	u, err := baseURL(cfg)
	if err != nil {
		return nil, err
	}
	if err := c.police(cfg, t); err != nil {
		return nil, err
	}
	own := &retiring{pool: pool{maxHeader: c.maxHeader}}
	own.attach(cfg)
	if own.next, err = transportFor(cfg); err != nil {
		return nil, err
	}
	chain := c.guard(headerLimit{next: abandonable(own, cfg), size: c.maxHeader}, t)
	return &route{
		endpoint: &dispatcher.Endpoint{
			URL:  u,
			HTTP: &http.Client{Transport: containing{thisSide{chain}}, Timeout: cfg.Timeout},
		},
		retire: own.retire,
	}, nil
}

// police has the dial policy watch over the connections for t, if there is one. Those
// of services are not subject to it, unless they may be led elsewhere.
func (c *Client) police(cfg *rest.Config, t target) error {
	isService := t.service != (service{})
	if !c.urls.isOn() || isService && !c.exact {
		return nil
	}
	host := t.host
	if isService {
		host = t.service.serverName()
	}
	return policed{policy: &c.urls, host: host}.attach(cfg)
}

// abandonable sees to it that calls can leave rt at any time. Where no plugin finds
// the credentials they can already, for nothing.
func abandonable(rt http.RoundTripper, cfg *rest.Config) http.RoundTripper {
	if cfg.ExecProvider != nil {
		return abandoning{next: rt}
	}
	return rt
}

// isDefault reports whether services computes addresses and asks nobody.
func isDefault(services webhookutil.ServiceResolver) bool {
	// Types are compared, because values of a type without fields may or may not
	// have the same address.
	return reflect.TypeOf(services) == reflect.TypeOf(webhookutil.NewDefaultServiceResolver())
}

// transportFor builds the chain of round trippers that cfg describes, as
// rest.TransportFor does, but for the client certificate and for client-go's logging.
func transportFor(cfg *rest.Config) (http.RoundTripper, error) {
	built, err := cfg.TransportConfig()
	if err != nil {
		return nil, err
	}
	if err := readCertificateLate(&built.TLS); err != nil {
		return nil, err
	}
	return discreet(built)
}

// guard puts around rt what keeps a webhook from misusing it, or, in exact
// mode, what kube-apiserver has there.
func (c *Client) guard(rt http.RoundTripper, t target) http.RoundTripper {
	if c.exact {
		return retrying{next: rt}
	}
	if t.http2 {
		rt = connectionLimit{next: rt}
	}
	return sameOrigin{next: rt}
}

// configFor looks up the credentials for t and completes a copy of them.
func (c *Client) configFor(t target, caBundle []byte) (*rest.Config, error) {
	found, err := c.lookUp(t)
	if err != nil {
		return nil, err
	}
	cfg := rest.CopyConfig(found)
	cfg.Host, cfg.APIPath = t.base, t.path
	if c.dial != nil {
		cfg.Dial = c.dial
	}
	if c.proxy != nil {
		cfg.Proxy = c.proxy
	}
	if !t.http2 {
		cfg.NextProtos = []string{"http/1.1"}
	}
	if t.service != (service{}) {
		c.completeForService(cfg, t.service)
	}
	cfg.CAData = joinCA(cfg.CAData, caBundle)
	cfg.Wrap(c.deprecated)
	return cfg, nil
}

// lookUp asks for the credentials by service or by host (S-279).
func (c *Client) lookUp(t target) (*rest.Config, error) {
	if s := t.service; s != (service{}) {
		return c.auth.ClientConfigForService(s.name, s.namespace, int(s.port))
	}
	return c.auth.ClientConfigFor(t.authKey)
}

// completeForService makes TLS expect the service's name, whatever the address
// it resolves to, unless the credentials name another (S-272).
func (c *Client) completeForService(cfg *rest.Config, s service) {
	if cfg.ServerName == "" {
		cfg.ServerName = s.serverName()
	}
	cfg.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return &resolving{
			next: next, services: c.services, service: s,
			computed: isDefault(c.services), marked: c.urls.isOn(),
		}
	})
}

// joinCA appends the webhook's CA bundle to the CA data of the credentials. If
// both are empty the system's roots apply (S-278). It never writes into the
// arguments, which belong to others.
func joinCA(data, bundle []byte) []byte {
	if len(data) == 0 {
		return bundle
	}
	return slices.Concat(data, []byte("\n"), bundle)
}
