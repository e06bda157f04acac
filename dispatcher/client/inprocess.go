package client

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/engine/guard"
)

const (
	// userAgent is kube-apiserver's User-Agent in calls of webhooks (S-271).
	userAgent = "kube-apiserver-admission"
	// clientTimeout bounds every request (S-263).
	clientTimeout = 30 * time.Second
)

// InProcess returns a client that calls the handler that handlerFor returns for
// a webhook, without port, certificate or name resolution. The handler sees the
// request that it would get as a server on the network at the configured
// address: URL, Host and headers are the same, r.TLS is nil and r.RemoteAddr is
// a loopback address. It runs on a separate goroutine, and the client buffers
// its response until it returns; there is no Hijacker and no Pusher, and
// trailers are not sent.
//
// If the handler panics, the call fails as if the connection had broken. If the
// call ends first, the handler finishes alone: its context is canceled and its
// writes fail. Redirects are treated as in New's client.
//
// Endpoint calls handlerFor every time, from many goroutines. The call waits
// for it regardless of its timeout, so handlerFor should use a cache. If it
// returns nil, the call fails.
func InProcess(handlerFor func(w *admission.Webhook) http.Handler) dispatcher.Client {
	return inProcess{handlerFor: handlerFor}
}

// inProcess is the client that InProcess returns.
type inProcess struct {
	handlerFor func(w *admission.Webhook) http.Handler
}

// Endpoint caches nothing: an endpoint is small, and handlerFor may return
// another handler the next time.
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

// inProcessClient has the layers of a client on the network that affect
// requests.
func inProcessClient(handler http.Handler) *http.Client {
	var rt http.RoundTripper = &handlerTransport{handler: handler}
	rt = gunzipTransport{wrapper{rt}}
	rt = transport.NewUserAgentRoundTripper(userAgent, rt)
	rt = localErrorTransport{wrapper{SameOrigin(rt)}}
	return &http.Client{Transport: rt, Timeout: clientTimeout}
}

// handlerTransport is a round tripper that calls a handler in the same process.
type handlerTransport struct {
	handler http.Handler
}

// RoundTrip runs the handler on a separate goroutine and waits for it or for
// the end of the request's context, whichever comes first.
func (t *handlerTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	callerCtx := req.Context()
	if callerCtx.Err() != nil {
		closeBody(req)
		return nil, context.Cause(callerCtx)
	}
	// A server cancels a handler's context when the handler has returned or its
	// client has disconnected; when RoundTrip returns, one of the two has
	// happened.
	ctx, cancel := context.WithCancel(serverContext{context.WithoutCancel(callerCtx)})
	defer cancel()
	in, err := serverRequest(ctx, req)
	if err != nil {
		return nil, err
	}
	rec := newRecorder()
	_, err = guard.Detached(callerCtx, func() (none struct{}, err error) {
		t.handler.ServeHTTP(rec, in)
		return none, nil
	}, nil)
	if err != nil {
		rec.close()
		return nil, handlerError(callerCtx, err)
	}
	return rec.response(req), nil
}

// handlerError returns the error of a call that ended before its handler, or
// whose handler panicked or ended its goroutine with runtime.Goexit, as
// t.FailNow does.
func handlerError(callerCtx context.Context, err error) error {
	var panicked *admission.PanicError
	switch {
	case errors.As(err, &panicked):
		// io.EOF is what a client sees of a panic over the network.
		return fmt.Errorf("the webhook's handler panicked: %v: %w", panicked.Value, io.EOF)
	case err == guard.ErrGoexit:
		return errors.New("the webhook's handler ended its goroutine instead of returning")
	}
	// net/http's transport returns the cause, too; usually it is ctx.Err().
	return context.Cause(callerCtx)
}

// serverRequest returns req as a server would receive it. It reads the body
// first: a handler that outlives the call must not read a body that the caller
// may reuse.
func serverRequest(ctx context.Context, req *http.Request) (*http.Request, error) {
	var sent bytes.Buffer
	if err := req.Write(&sent); err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	in, err := http.ReadRequest(bufio.NewReader(&sent))
	if err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	in.RemoteAddr = "127.0.0.1:0"
	return in.WithContext(ctx), nil
}

// serverContext hides the caller's values, as a network would.
type serverContext struct{ context.Context }

// Value returns nil for every key.
func (serverContext) Value(any) any { return nil }
