package portforward

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	constants "k8s.io/apimachinery/pkg/util/portforward"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/transport/websocket"
	"k8s.io/streaming/pkg/httpstream"
	"k8s.io/streaming/pkg/httpstream/spdy"
)

// pingPeriod is how often a connection without traffic is used, because proxies close others.
const pingPeriod = 5 * time.Second

// connect opens the port-forward of a pod.
func (f *Forwarder) connect(
	ctx context.Context, pod types.NamespacedName,
) (httpstream.Connection, error) {
	to := f.client.Get().Namespace(pod.Namespace).Resource("pods").Name(pod.Name).
		SubResource("portforward").URL()
	type opened struct {
		connection httpstream.Connection
		err        error
	}
	done := make(chan opened, 1)
	go func() {
		c, err := f.upgrade(ctx, to)
		done <- opened{c, err}
	}()
	select {
	case o := <-done:
		return o.connection, o.err
	case <-ctx.Done(): // reading an answer does not end with ctx
		go func() {
			if o := <-done; o.err == nil {
				_ = o.connection.Close()
			}
		}()
		return nil, context.Cause(ctx)
	}
}

// upgrade opens a connection by WebSocket, or else by SPDY, as kubectl does: older API
// servers, some proxies, and users who may only create port-forwards need the latter.
func (f *Forwarder) upgrade(ctx context.Context, to *url.URL) (httpstream.Connection, error) {
	c, err := f.webSocket(ctx, to)
	if httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err) {
		return f.spdy(ctx, to)
	}
	return c, err
}

func (f *Forwarder) webSocket(ctx context.Context, to *url.URL) (httpstream.Connection, error) {
	transport, holder, err := websocket.RoundTripperFor(f.config)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, to.String(), http.NoBody)
	if err != nil {
		return nil, err
	}
	c, err := websocket.Negotiate(transport, holder, request,
		constants.WebsocketsSPDYTunnelingPortForwardV1)
	if err != nil {
		return nil, err
	}
	tunnel := portforward.NewTunnelingConnection("client", c)
	return spdy.NewClientConnectionWithPings(tunnel, pingPeriod)
}

func (f *Forwarder) spdy(ctx context.Context, to *url.URL) (httpstream.Connection, error) {
	security, err := rest.TLSConfigFor(f.config)
	if err != nil {
		return nil, err
	}
	upgrade, err := spdy.NewRoundTripperWithConfig(spdy.RoundTripperConfig{
		TLS: security, Proxier: f.config.Proxy, PingPeriod: pingPeriod,
	})
	if err != nil {
		return nil, err
	}
	transport, err := rest.HTTPWrappersForConfig(f.config, upgrade)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), http.NoBody)
	if err != nil {
		return nil, err
	}
	request.Header.Set(httpstream.HeaderProtocolVersion, constants.PortForwardV1Name)
	answer, err := transport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusSwitchingProtocols {
		return nil, statusOf(answer)
	}
	if got := answer.Header.Get(httpstream.HeaderProtocolVersion); got != constants.PortForwardV1Name {
		return nil, fmt.Errorf("the API server forwards ports by %q and not by %q", got, constants.PortForwardV1Name)
	}
	return upgrade.NewConnection(answer)
}

// statusOf returns the error in an answer. That of a kubelet is no Status.
func statusOf(answer *http.Response) error {
	const maxStatus = 64 << 10
	if answer.StatusCode < http.StatusBadRequest {
		return fmt.Errorf("the answer is %s, and no port is forwarded: is this an API server?", answer.Status)
	}
	text, _ := io.ReadAll(io.LimitReader(answer.Body, maxStatus)) // what is cut off is missing
	var status metav1.Status
	if err := json.Unmarshal(text, &status); err != nil || status.Kind != "Status" {
		status = metav1.Status{Message: string(text)}
	}
	status.Status, status.Code = metav1.StatusFailure, int32(answer.StatusCode)
	if status.Message == "" {
		status.Message = answer.Status
	}
	return &apierrors.StatusError{ErrStatus: status}
}
