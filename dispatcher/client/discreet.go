package client

import (
	"errors"
	"net/http"

	"k8s.io/client-go/transport"
)

// discreet builds the chain of round trippers that c describes, as transport.New does, but
// for the one that logs. That one writes the headers of answers, their status lines and
// where they redirect to from -v=6 on, or with -vmodule: webhooks may have there what they
// were sent. It cannot be told otherwise: it asks the context of a request for a logger, and
// without contextual logging gets that of the process.
//
// Hence only what is inside of it is client-go's whole work. What comes around it is put
// together here, of the same parts.
func discreet(c *transport.Config) (http.RoundTripper, error) {
	if c.HasBasicAuth() && c.HasTokenAuth() {
		return nil, errors.New("username/password or bearer token may be set, but not both") // client-go's text
	}
	inside := *c
	inside.Username, inside.Password, inside.BearerToken, inside.BearerTokenFile = "", "", "", ""
	inside.UserAgent, inside.Impersonate = "", transport.ImpersonationConfig{}
	var rt http.RoundTripper
	inside.Wrap(func(quiet http.RoundTripper) http.RoundTripper {
		rt = quiet
		return quiet
	})
	if _, err := transport.New(&inside); err != nil {
		return nil, err
	}
	return credentialed(c, rt)
}

// credentialed puts around rt what tells servers who is calling, the innermost first.
func credentialed(c *transport.Config, rt http.RoundTripper) (_ http.RoundTripper, err error) {
	switch {
	case c.HasTokenAuth():
		if rt, err = transport.NewBearerAuthWithRefreshRoundTripper(c.BearerToken, c.BearerTokenFile, rt); err != nil {
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
