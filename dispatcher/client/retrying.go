package client

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
)

const (
	// maxRetries is how often client-go asks again.
	maxRetries = 10
	// maxDrained is the size up to which the body of a response that is not
	// wanted is read, so that its connection can be used again.
	maxDrained = 2 << 10
)

// retrying asks again when the webhook's server says when to: with status 429
// or 5xx and an integer Retry-After, as client-go does. It is there in exact
// mode only, because it multiplies the calls of a webhook that is overloaded
// already, unseen by metrics.
//
// Compat: S-285. Failures of the connection are not retried, and when all
// retries are used up the last response is the answer. One difference is left:
// after a redirect it is its target that is asked again, while client-go begins
// with the webhook's own address.
type retrying struct {
	next http.RoundTripper
}

var _ utilnet.RoundTripperWrapper = retrying{}

// RoundTrip passes on, again and again. A wait ends with the request's context,
// whose error then comes from the attempt after it.
func (r retrying) RoundTrip(req *http.Request) (*http.Response, error) {
	for retries := 0; ; retries++ {
		resp, err := r.next.RoundTrip(req)
		if err != nil || retries == maxRetries {
			return resp, err
		}
		wait, ok := retryAfter(resp)
		if !ok {
			return resp, nil
		}
		again, ok := replay(req)
		if !ok {
			return resp, nil
		}
		discard(resp)
		sleep(req.Context(), wait)
		req = again
	}
}

// WrappedRoundTripper lets others look underneath.
func (r retrying) WrappedRoundTripper() http.RoundTripper { return r.next }

// retryAfter returns how long the server wants to be left alone. A date is no
// answer; a negative number means at once.
func retryAfter(resp *http.Response) (time.Duration, bool) {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode < http.StatusInternalServerError {
		return 0, false
	}
	seconds, err := strconv.Atoi(resp.Header.Get("Retry-After"))
	return time.Duration(seconds) * time.Second, err == nil
}

// replay returns req with its body from the beginning, unless the body can be
// read only once.
func replay(req *http.Request) (*http.Request, bool) {
	if req.Body == nil || req.Body == http.NoBody {
		return req, true
	}
	if req.GetBody == nil {
		return nil, false
	}
	body, err := req.GetBody()
	if err != nil {
		return nil, false
	}
	again := req.WithContext(req.Context())
	again.Body = body
	return again, true
}

// discard gives the connection of resp back.
func discard(resp *http.Response) {
	if resp.ContentLength <= maxDrained {
		_, _ = io.CopyN(io.Discard, resp.Body, maxDrained)
	}
	_ = resp.Body.Close()
}

// sleep waits, but not beyond ctx.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
