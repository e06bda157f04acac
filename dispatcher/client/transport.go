package client

import (
	"errors"
	"net/http"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"
)

// wrapper is the part that all round trippers around another one share.
type wrapper struct{ next http.RoundTripper }

// WrappedRoundTripper implements utilnet.RoundTripperWrapper.
func (w wrapper) WrappedRoundTripper() http.RoundTripper { return w.next }

// transportFor builds the chain of round trippers for cfg, as rest.TransportFor
// does, except for the client certificate and client-go's logging. It returns
// the client certificate, too, if that is on disk.
func transportFor(cfg *rest.Config) (http.RoundTripper, *clientCertificate, error) {
	built, err := cfg.TransportConfig()
	if err != nil {
		return nil, nil, err
	}
	certificate, err := newClientCertificate(&built.TLS)
	if err != nil {
		return nil, nil, err
	}
	rt, err := newQuietTransport(built)
	return rt, certificate, err
}

// newQuietTransport builds the chain of round trippers for c, as transport.New
// does, except for the one that logs. From -v=6 on, or with -vmodule, that one
// logs the headers of responses, their status lines and redirect targets, which
// may repeat what the request contained. It cannot be turned off: it takes the
// logger from the request's context, and without contextual logging gets the
// process's.
//
// Hence client-go builds only the layers inside the logging one; this package
// adds the outer layers, from the same parts.
func newQuietTransport(c *transport.Config) (http.RoundTripper, error) {
	if c.HasBasicAuth() && c.HasTokenAuth() {
		// client-go's text.
		return nil, errors.New("username/password or bearer token may be set, but not both")
	}
	inner := *c
	inner.Username, inner.Password, inner.BearerToken, inner.BearerTokenFile = "", "", "", ""
	inner.UserAgent, inner.Impersonate = "", transport.ImpersonationConfig{}
	var rt http.RoundTripper
	inner.Wrap(func(base http.RoundTripper) http.RoundTripper {
		rt = base
		return base
	})
	if _, err := transport.New(&inner); err != nil {
		return nil, err
	}
	return wrapCredentials(c, rt)
}

// wrapCredentials adds the layers that authenticate and identify the client,
// the innermost first.
func wrapCredentials(c *transport.Config, rt http.RoundTripper) (_ http.RoundTripper, err error) {
	switch {
	case c.HasTokenAuth():
		if rt, err = transport.NewBearerAuthWithRefreshRoundTripper(
			c.BearerToken,
			c.BearerTokenFile,
			rt,
		); err != nil {
			return nil, err
		}
	case c.HasBasicAuth():
		rt = transport.NewBasicAuthRoundTripper(c.Username, c.Password, rt)
	}
	if c.UserAgent != "" {
		rt = transport.NewUserAgentRoundTripper(c.UserAgent, rt)
	}
	if i := c.Impersonate; i.UserName != "" || i.UID != "" || len(i.Groups) > 0 || len(i.Extra) > 0 {
		rt = transport.NewImpersonatingRoundTripper(i, rt)
	}
	return rt, nil
}
