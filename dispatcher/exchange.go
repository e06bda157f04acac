package dispatcher

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	endpointsrequest "k8s.io/apiserver/pkg/endpoints/request"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/failpoint"
	"example.com/gatehouse/internal/engine/review"
)

// exchange sends a review to an address and returns the one that came back. What
// it takes is added to the request's latency trackers, if it has any (S-352).
func (c *call) exchange(ctx context.Context, e *Endpoint, timeout time.Duration, v review.Version) (runtime.Object, error) {
	failpoint.Hit(ctx, failpoint.BeforeEncode)
	err := c.pass.reviews.Fill(&c.body, v, c.record.UID, c.record.Target, c.object.object, c.object.oldObject)
	failpoint.Hit(ctx, failpoint.AfterEncode)
	trackers, tracked := endpointsrequest.LatencyTrackersFrom(ctx)
	switch {
	case tracked:
		return c.track(trackers, func() (runtime.Object, error) {
			if err != nil { // kube-apiserver tracks it, too
				return nil, err
			}
			return c.send(ctx, e, timeout, v)
		})
	case err != nil:
		return nil, err
	}
	return c.send(ctx, e, timeout, v)
}

// track runs an exchange under the tracker of the phase.
func (c *call) track(trackers *endpointsrequest.LatencyTrackers, send func() (runtime.Object, error)) (received runtime.Object, err error) {
	tracker := trackers.ValidatingWebhookTracker
	if c.pass.phase == admission.Mutating {
		tracker = trackers.MutatingWebhookTracker
	}
	tracker.Track(func() { received, err = send() })
	return received, err
}

// send performs the exchange, unless there is nobody any more to answer.
func (c *call) send(ctx context.Context, e *Endpoint, timeout time.Duration, v review.Version) (runtime.Object, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.address = e.URL
	announce(&c.address, timeout)
	c.record.URL = c.address.String()
	return c.post(ctx, e.HTTP, v)
}

// post performs the HTTP exchange as kube-apiserver's REST client would (S-271),
// within the limits on responses.
func (c *call) post(ctx context.Context, client *http.Client, v review.Version) (runtime.Object, error) {
	headers := &c.headers
	headers.limits = c.limits()
	c.tracer.send(&c.body, &headers.trace)
	failpoint.Hit(ctx, failpoint.BeforeConnect)
	response, err := trip(untimed(ctx, client), newRequest(headers.watch(ctx), &c.address, &c.body), c.record.URL)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	failpoint.Hit(ctx, failpoint.Headers)
	c.tracer.answered(response)
	if err := headers.add(response.Header); err != nil {
		return nil, err
	}
	intake, err := receive(ctx, response, c.limits())
	if err != nil {
		return nil, err
	}
	c.tracer.received(intake.data)
	codec, status, header := c.pass.d.codec, response.StatusCode, response.Header
	if review.Quick(intake.data) { // nearly all are, and need no task
		return intake.decode(ctx, codec, v, status, header)
	}
	return runDetached(ctx, c.pass.d.detached, c.key(), task[runtime.Object]{
		name:    "decoding the response",
		run:     func() (runtime.Object, error) { return intake.decode(ctx, codec, v, status, header) },
		discard: intake.release,
	})
}

// newRequest is http.NewRequestWithContext for an address that need not be parsed.
func newRequest(ctx context.Context, address *url.URL, body *review.Body) *http.Request {
	values := []string{"application/json, */*", runtime.ContentTypeJSON}
	request := http.Request{
		Method: http.MethodPost,
		URL:    address,
		Host:   strings.TrimSuffix(address.Host, ":"),
		Proto:  "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Accept": values[:1:1], "Content-Type": values[1:]},
		Body:          body.Open(),
		GetBody:       func() (io.ReadCloser, error) { return body.Open(), nil },
		ContentLength: int64(body.Len()),
	}
	return request.WithContext(ctx)
}
