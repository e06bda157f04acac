package client

import (
	"context"
	"net/http"
	"net/url"

	webhookutil "k8s.io/apiserver/pkg/util/webhook"
)

// serviceTransport sends requests for a service to the current address of the
// service. The Host header and the TLS server name remain the service's
// (S-273).
//
// A dialer that resolves would be simpler, but calls on an idle connection
// would still reach the old address.
type serviceTransport struct {
	wrapper
	services webhookutil.ServiceResolver
	service  service
	// inline says that the resolver does not block and needs no goroutine.
	inline bool
	// mark says that a dial policy has to recognize requests to the service.
	// The service's host name is not enough: on another port, for example, DNS
	// resolves it.
	mark bool
}

// RoundTrip resolves the service. It passes requests for other hosts on
// unchanged, and returns the resolver's error unwrapped (S-273).
func (t *serviceTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	host := t.service.host()
	if req.URL.Host != host {
		return t.next.RoundTrip(req)
	}
	address, err := t.resolve(req.Context())
	if err != nil {
		closeBody(req)
		return nil, err
	}
	resolved := *req.URL
	resolved.Host = address.Host
	ctx := req.Context()
	if t.mark {
		ctx = context.WithValue(ctx, serviceKey{}, true)
	}
	// A shallow copy is enough: only the two fields below differ.
	out := req.WithContext(ctx)
	out.URL = &resolved
	if out.Host == "" {
		out.Host = host
	}
	return t.next.RoundTrip(out)
}

// resolve returns the current address of the service. Resolvers take no
// context, so that a call leaves the resolver when ctx ends.
func (t *serviceTransport) resolve(ctx context.Context) (*url.URL, error) {
	ask := func() (*url.URL, error) {
		return t.services.ResolveEndpoint(t.service.namespace, t.service.name, t.service.port)
	}
	if t.inline {
		return ask()
	}
	return detachOnDone(ctx, ask, nil)
}

// closeBody closes the request's body, as a round tripper must even when it
// fails.
func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
}
