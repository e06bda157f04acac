package dispatcher

import (
	"bytes"
	"context"
	"errors"
	"net/http"

	"k8s.io/apimachinery/pkg/runtime"
	endpointsrequest "k8s.io/apiserver/pkg/endpoints/request"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/review"
)

// exchange sends a review to an address and returns the one that came back. What
// it takes is added to the request's latency trackers, if it has any (S-352).
func (c *call) exchange(ctx context.Context, e *Endpoint, address string, v review.Version) (received runtime.Object, err error) {
	body, err := c.pass.reviews.Body(v, c.record.UID, c.record.Target, c.object.object, c.object.oldObject)
	if err != nil {
		return nil, err
	}
	c.track(ctx, func() {
		if err = ctx.Err(); err != nil {
			return // nothing is sent when there is nobody to answer
		}
		c.record.URL = address
		received, err = c.post(ctx, e.HTTP, body, v)
	})
	return received, err
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

// post performs the HTTP exchange as kube-apiserver's REST client would (S-271),
// within the limits on responses.
func (c *call) post(ctx context.Context, client *http.Client, body []byte, v review.Version) (runtime.Object, error) {
	headers := &headerMeter{limits: c.limits()}
	request, err := http.NewRequestWithContext(headers.watch(ctx), http.MethodPost, c.record.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json, */*")
	request.Header.Set("Content-Type", runtime.ContentTypeJSON)
	response, err := client.Do(request)
	if err != nil {
		var panicked *admission.PanicError
		if errors.As(err, &panicked) {
			panic(panicked)
		}
		return nil, err
	}
	defer response.Body.Close()
	if err := headers.add(response.Header); err != nil {
		return nil, err
	}
	intake, err := receive(response, c.limits())
	if err != nil {
		return nil, err
	}
	codec, status, header := c.pass.d.codec, response.StatusCode, response.Header
	return finish(ctx, review.Quick(intake.data), "decoding the response", func() (runtime.Object, error) {
		defer intake.release()
		return codec.Decode(v, status, header, intake.data)
	})
}
