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
	// userAgent is how kube-apiserver introduces itself to webhooks (S-271).
	userAgent = "kube-apiserver-admission"
	// clientTimeout bounds every request (S-263).
	clientTimeout = 30 * time.Second
)

// InProcess returns a client that reaches webhooks by calling the handler that
// handlerFor returns for them, without port, certificate or name resolution.
// The handler sees the request that it would get as a server on the network at
// the configured address: URL, Host and headers are the same, r.TLS is nil and
// r.RemoteAddr is a loopback address. It runs in its own goroutine, and its
// answer is held in memory until it returns; there is no Hijacker and no
// Pusher, and trailers are not sent.
//
// A handler that panics has broken the connection: the call fails. A handler
// that outlives the call finishes on its own, with its context canceled and
// its writes refused. Redirects are treated as New's client treats them.
//
// handlerFor is called at every Endpoint, from many goroutines, and the call waits
// for it whatever its timeout: it should answer from what it already knows. It
// returns nil for webhooks that it does not know, which is an error of the call.
func InProcess(handlerFor func(w *admission.Webhook) http.Handler) dispatcher.Client {
	return inProcess{handlerFor: handlerFor}
}

// inProcess is the client that InProcess returns.
type inProcess struct {
	handlerFor func(w *admission.Webhook) http.Handler
}

// Endpoint keeps nothing: what it makes is small, and the handler may be
// another one the next time.
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
	return &dispatcher.Endpoint{URL: u, HTTP: inProcessHTTP(handler)}, nil
}

// inProcessHTTP has the same layers as a client on the network, as far as they
// show in requests.
func inProcessHTTP(handler http.Handler) *http.Client {
	var rt http.RoundTripper = &handlerTransport{handler: handler}
	rt = gunzip{next: rt}
	rt = transport.NewUserAgentRoundTripper(userAgent, rt)
	return &http.Client{Transport: thisSide{sameOrigin{next: rt}}, Timeout: clientTimeout}
}
