package dispatcher

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/net/http2"
	"k8s.io/apimachinery/pkg/runtime"
	endpointsrequest "k8s.io/apiserver/pkg/endpoints/request"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/review"
)

// exchange sends a review and returns the one that came back. What it takes is
// added to the request's latency trackers, if it has any (S-352).
func (c *call) exchange(ctx context.Context, e *Endpoint, v review.Version) (received runtime.Object, err error) {
	body, err := c.pass.reviews.Body(v, c.record.UID, c.record.Target, c.object.object, c.object.oldObject)
	if err != nil {
		return nil, err
	}
	if s := c.webhook.TimeoutSeconds; s != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(*s)*time.Second)
		defer cancel()
	}
	timeout := announced(ctx, e.HTTP.Timeout)
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	address := withTimeout(e.URL, timeout)
	if err := ctx.Err(); err != nil {
		return nil, err // nothing is sent when there is nobody to answer
	}
	c.record.URL = address
	c.track(ctx, func() { received, err = c.post(ctx, e.HTTP, address, body, v) })
	return received, err
}

// announced returns the timeout that the webhook is told: the time that is left,
// rounded up to a second (S-261), or the client's own if there is no deadline
// (S-262).
func announced(ctx context.Context, fallback time.Duration) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return fallback
	}
	left := time.Until(deadline)
	if left <= 0 {
		return fallback
	}
	if truncated := left.Truncate(time.Second); truncated != left {
		return truncated + time.Second
	}
	return left
}

func withTimeout(u url.URL, timeout time.Duration) string {
	if timeout > 0 {
		u.RawQuery = url.Values{"timeout": {timeout.String()}}.Encode()
	}
	return u.String()
}

// track runs an exchange under the tracker of the phase.
func (c *call) track(ctx context.Context, exchange func()) {
	trackers, ok := endpointsrequest.LatencyTrackersFrom(ctx)
	switch {
	case !ok:
		exchange()
	case c.pass.phase == admission.Mutating:
		trackers.MutatingWebhookTracker.Track(exchange)
	default:
		trackers.ValidatingWebhookTracker.Track(exchange)
	}
}

// post performs the HTTP exchange as kube-apiserver's REST client would
// (S-271).
func (c *call) post(ctx context.Context, client *http.Client, address string, body []byte, v review.Version) (runtime.Object, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json, */*")
	request.Header.Set("Content-Type", runtime.ContentTypeJSON)
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	received, err := readAll(response)
	if err != nil {
		return nil, err
	}
	return c.pass.d.codec.Decode(v, response.StatusCode, response.Header, received)
}

// readAll reads the body. After "101 Switching Protocols" there is none, only a
// connection that the webhook may keep open for as long as it likes.
func readAll(response *http.Response) ([]byte, error) {
	if response.StatusCode == http.StatusSwitchingProtocols {
		return nil, nil
	}
	body, err := io.ReadAll(response.Body)
	switch err.(type) {
	case nil:
		return body, nil
	case http2.StreamError:
		return nil, fmt.Errorf("stream error when reading response body, may be caused by closed connection. Please retry. Original error: %w", err)
	default:
		return nil, fmt.Errorf("unexpected error when reading response body. Please retry. Original error: %w", err)
	}
}
