package client

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"
)

const (
	// maxRetries is client-go's limit.
	maxRetries = 10
	// maxDrained is the size up to which an unused response's body is read, so
	// that its connection can be used again.
	maxDrained = 2 << 10
)

// retryTransport retries a call when the webhook's server responds with status
// 429 or 5xx and an integer Retry-After, as client-go does. Only exact mode
// uses it, because it multiplies the calls of a webhook that is already
// overloaded, and metrics do not show them.
//
// Compat: S-285. Failures of the connection are not retried, and after the last
// retry the last response is the result. One difference remains: after a
// redirect it retries the redirect's target, while client-go begins with the
// webhook's own address.
type retryTransport struct{ wrapper }

// RoundTrip retries. When the request's context ends during a wait, the error
// comes from the attempt that follows.
func (t retryTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	for retries := 0; ; retries++ {
		resp, err := t.next.RoundTrip(req)
		if err != nil || retries == maxRetries {
			return resp, err
		}
		wait, ok := retryAfter(resp)
		if !ok {
			return resp, nil
		}
		again, ok := withNewBody(req)
		if !ok {
			return resp, nil
		}
		drainAndClose(resp)
		sleep(req.Context(), wait)
		req = again
	}
}

// retryAfter returns how long the server wants the client to wait. A date is
// ignored; a negative number means no wait.
func retryAfter(resp *http.Response) (time.Duration, bool) {
	if resp.StatusCode != http.StatusTooManyRequests &&
		resp.StatusCode < http.StatusInternalServerError {
		return 0, false
	}
	seconds, err := strconv.Atoi(resp.Header.Get("Retry-After"))
	return time.Duration(seconds) * time.Second, err == nil
}

// withNewBody returns req with a new copy of its body, unless the body can be
// read only once.
func withNewBody(req *http.Request) (*http.Request, bool) {
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

// drainAndClose returns the connection of resp to the pool.
func drainAndClose(resp *http.Response) {
	if resp.ContentLength <= maxDrained {
		_, _ = io.CopyN(io.Discard, resp.Body, maxDrained)
	}
	_ = resp.Body.Close()
}

// sleep waits for d or until ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
