package client

import (
	"context"
	"net/http"
	"net/url"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
)

// resolving sends the requests for a service to the address that the service
// has at that moment. The Host header and the TLS server name stay the
// service's own (S-273).
//
// A dialer that resolves would be simpler, but a connection that is kept would
// then go on to reach the old address.
type resolving struct {
	next     http.RoundTripper
	services webhookutil.ServiceResolver
	service  service
	// computed says that the address is computed and nobody asked.
	computed bool
	// marked says that a dial policy has to know which requests go to the service, and not
	// only to its name, which leads to where DNS says.
	marked bool
}

var _ utilnet.RoundTripperWrapper = (*resolving)(nil)

// RoundTrip resolves and passes on. Requests for other hosts are left alone,
// and the resolver's error is returned as it is (S-273).
func (r *resolving) RoundTrip(req *http.Request) (*http.Response, error) {
	host := r.service.host()
	if req.URL.Host != host {
		return r.next.RoundTrip(req)
	}
	address, err := r.resolve(req.Context())
	if err != nil {
		closeBody(req)
		return nil, err
	}
	resolved := *req.URL
	resolved.Host = address.Host
	ctx := req.Context()
	if r.marked {
		ctx = context.WithValue(ctx, ofService{}, true)
	}
	// A shallow copy will do: only the two fields below differ.
	out := req.WithContext(ctx)
	out.URL = &resolved
	if out.Host == "" {
		out.Host = host
	}
	return r.next.RoundTrip(out)
}

// resolve returns where the service is now. The host's resolver knows of no
// context.
func (r *resolving) resolve(ctx context.Context) (*url.URL, error) {
	ask := func() (*url.URL, error) {
		return r.services.ResolveEndpoint(r.service.namespace, r.service.name, r.service.port)
	}
	if r.computed {
		return ask()
	}
	return abandon(ctx, ask, func(*url.URL) {})
}

// WrappedRoundTripper lets client-go look underneath.
func (r *resolving) WrappedRoundTripper() http.RoundTripper { return r.next }

// closeBody does what a round tripper owes its caller even when it fails.
func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
}
