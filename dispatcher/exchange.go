package dispatcher

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	endpointsrequest "k8s.io/apiserver/pkg/endpoints/request"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/failpoint"
	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/internal/engine/review"
)

// exchange sends the review to the webhook and returns the review in the
// response. The time that this takes is added to the request's latency
// trackers, if it has any (S-352).
func (c *call) exchange(
	ctx context.Context, e *Endpoint, timeout time.Duration,
) (received runtime.Object, err error) {
	failpoint.Hit(ctx, failpoint.BeforeEncode)
	encodeErr := c.run.reviews.Fill(&c.body, c.reviewVersion, c.record.UID, c.record.Target,
		c.versioned.encodedObject, c.versioned.encodedOldObject)
	failpoint.Hit(ctx, failpoint.AfterEncode)
	c.track(ctx, func() {
		if err = encodeErr; err == nil { // kube-apiserver tracks this error, too
			received, err = c.send(ctx, e, timeout)
		}
	})
	return received, err
}

// track adds the time that f takes to the request's latency tracker of the
// phase, if it has any.
func (c *call) track(ctx context.Context, f func()) {
	trackers, ok := endpointsrequest.LatencyTrackersFrom(ctx)
	switch {
	case !ok:
		f()
	case c.run.phase == admission.Mutating:
		trackers.MutatingWebhookTracker.Track(f)
	default:
		trackers.ValidatingWebhookTracker.Track(f)
	}
}

// send performs the HTTP exchange as kube-apiserver's REST client does (S-271),
// within the limits on responses. It sends nothing if ctx is done.
func (c *call) send(
	ctx context.Context, e *Endpoint, timeout time.Duration,
) (runtime.Object, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	address := e.URL
	setTimeoutQuery(&address, timeout)
	c.record.URL = address.String()
	c.tracer.send(&c.body, &c.headers.trace)
	failpoint.Hit(ctx, failpoint.BeforeConnect)
	response, body, err := c.measured(ctx, e, address)
	if err != nil {
		return nil, err
	}
	c.tracer.received(body.data)
	return c.decodeReview(ctx, body, response)
}

// measured exchanges the review for a response, before and after which it calls
// the endpoint's meter. A panic of the meter does not change the outcome.
func (c *call) measured(
	ctx context.Context, e *Endpoint, address url.URL,
) (response *http.Response, body *responseBody, err error) {
	if e.Meter == nil {
		return c.post(ctx, e)
	}
	metered, ended := address, func(*http.Response, int) {} // a copy: address stays on the stack
	_ = guard.Do(func() { ctx, ended = e.Meter(ctx, &metered, c.body.Len()) })
	size := -1
	defer func() { _ = guard.Do(func() { ended(response, size) }) }() // also after a panic of post
	if response, body, err = c.post(ctx, e); err == nil {
		size = len(body.data)
	}
	return response, body, err
}

// post sends the review and reads the body of the response, which the caller
// releases. The response may be there in spite of an error.
func (c *call) post(
	ctx context.Context, e *Endpoint,
) (*http.Response, *responseBody, error) {
	request, err := c.newRequest(c.headers.watch(ctx, c.limits()))
	if err != nil {
		return nil, nil, err
	}
	response, err := e.HTTP.Do(request)
	if err != nil {
		return response, nil, err
	}
	defer response.Body.Close()
	failpoint.Hit(ctx, failpoint.Headers)
	c.tracer.responded(response)
	if err := c.headers.count(response.Header); err != nil {
		return response, nil, err
	}
	body, err := readBody(ctx, response, c.limits())
	return response, body, err
}

// decodeReview decodes and releases the body of a response: a small one on this
// goroutine, a large one by runDetached.
func (c *call) decodeReview(
	ctx context.Context, body *responseBody, response *http.Response,
) (runtime.Object, error) {
	codec, version := c.run.d.codec, c.reviewVersion
	status, header := response.StatusCode, response.Header
	if review.Quick(body.data) {
		return body.decode(ctx, codec, version, status, header)
	}
	return runDetached(ctx, c.run.d.detached, c.key(), task[runtime.Object]{
		name: "decoding the response",
		run: func() (runtime.Object, error) {
			return body.decode(ctx, codec, version, status, header)
		},
		discard: body.release,
	})
}

// newRequest returns the request that carries the review.
func (c *call) newRequest(ctx context.Context) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.record.URL, c.body.Open())
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json, */*")
	request.Header.Set("Content-Type", runtime.ContentTypeJSON)
	request.GetBody = func() (io.ReadCloser, error) { return c.body.Open(), nil }
	request.ContentLength = int64(c.body.Len())
	return request, nil
}
