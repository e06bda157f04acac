package client

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
)

const (
	// userAgent is kube-apiserver's User-Agent in calls of webhooks (S-271).
	userAgent = "kube-apiserver-admission"
	// clientTimeout bounds every request (S-263).
	clientTimeout = 30 * time.Second
)

// InProcess returns a client that calls the handler that handlerFor returns for a
// webhook, without port, certificate or name resolution. The handler sees the request
// that it would get as a server on the network at the configured address: URL, Host and
// headers are the same, r.TLS is nil and r.RemoteAddr is a loopback address. It runs on
// a separate goroutine, and the client buffers its response until it returns; there is
// no Hijacker and no Pusher, and trailers are not sent.
//
// If the handler panics, the call fails as if the connection had broken. If the call
// ends first, the handler finishes alone: its context is canceled and its writes fail.
// Redirects are treated as in New's client.
//
// handlerFor is called at every Endpoint, from many goroutines, and the call waits for
// it regardless of its timeout: it should answer from a cache. If it returns nil, the
// call fails.
func InProcess(handlerFor func(w *admission.Webhook) http.Handler) dispatcher.Client {
	return inProcess{handlerFor: handlerFor}
}

// inProcess is the client that InProcess returns.
type inProcess struct {
	handlerFor func(w *admission.Webhook) http.Handler
}

// Endpoint caches nothing: an endpoint is small, and handlerFor may return another
// handler the next time.
func (p inProcess) Endpoint(_ context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	t, err := targetOf(w)
	if err != nil {
		return nil, err
	}
	u, err := baseURL(&rest.Config{Host: t.base, APIPath: t.path})
	if err != nil {
		return nil, err
	}
	handler := p.handlerFor(w)
	if handler == nil {
		return nil, fmt.Errorf("no in-process handler for webhook %q", w.Name)
	}
	return &dispatcher.Endpoint{URL: u, HTTP: inProcessClient(handler)}, nil
}

// inProcessClient has the layers of a client on the network that affect requests.
func inProcessClient(handler http.Handler) *http.Client {
	var rt http.RoundTripper = &handlerTransport{handler: handler}
	rt = gunzipTransport{next: rt}
	rt = transport.NewUserAgentRoundTripper(userAgent, rt)
	return &http.Client{Transport: localErrorTransport{sameOriginTransport{next: rt}}, Timeout: clientTimeout}
}
