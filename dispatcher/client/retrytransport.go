package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

const (
	// maxRetries is client-go's limit.
	maxRetries = 10
	// maxRedirects is http.Client's limit.
	maxRedirects = 10
	// maxDrained is the size up to which an unused response's body is read, so
	// that its connection can be used again.
	maxDrained = 2 << 10
)

// retryTransport retries a call when the webhook's server responds with status
// 429 or 5xx and an integer Retry-After, as client-go does. Only exact mode
// uses it, because it multiplies the calls of a webhook that is already
// overloaded, and the metrics of webhooks do not show them.
//
// After a redirect, the call begins again at the webhook's own address. Since
// http.Client follows redirects itself, the transport redirects it there, and
// checkRestart has to be the client's CheckRedirect.
//
// Compat: S-285. Failures of the connection are not retried, and after the last
// retry the last response is the result.
type retryTransport struct{ wrapper }

// RoundTrip retries. When the request's context ends during a wait, the error
// comes from the attempt that follows.
func (t retryTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	for p := progressOf(req); ; p.retries++ {
		resp, err := t.next.RoundTrip(req)
		if err != nil {
			return resp, err
		}
		if isRedirect(resp.StatusCode) {
			p.redirects++
			return withProgress(resp, req, p), nil
		}
		wait, ok := retryAfter(resp)
		if !ok || p.retries == maxRetries {
			return resp, nil
		}
		again, ok := withNewBody(p.first)
		if !ok {
			return resp, nil
		}
		drainAndClose(resp)
		measurementIn(req.Context()).attempted(resp)
		sleep(req.Context(), wait)
		if req != p.first {
			closeBody(again)
			return p.restart(req), nil
		}
		req, p.first = again, again
	}
}

// progress is what has become of a call.
type progress struct {
	// first is the request to the webhook's own address.
	first *http.Request
	// retries counts those for which a server asked, redirects those since the
	// last retry.
	retries, redirects int
}

type progressKey struct{}

// progressOf returns the progress of the call to which req belongs.
func progressOf(req *http.Request) progress {
	if req.Response == nil {
		return progress{first: req}
	}
	return req.Response.Request.Context().Value(progressKey{}).(progress)
}

// withProgress adds p to a redirect, which is the response to req. http.Client
// passes it on with the next request.
func withProgress(resp *http.Response, req *http.Request, p progress) *http.Response {
	answered := cmp.Or(resp.Request, req)
	resp.Request = answered.WithContext(context.WithValue(answered.Context(), progressKey{}, p))
	return resp
}

// restart returns a redirect to the webhook's own address.
func (p progress) restart(req *http.Request) *http.Response {
	p.retries++
	p.redirects = 0
	return withProgress(&http.Response{
		StatusCode: http.StatusTemporaryRedirect,
		Header:     http.Header{"Location": {p.first.URL.String()}},
		Body:       http.NoBody,
	}, req, p)
}

// checkRestart makes the first request of req if a retryTransport has redirected
// it to the webhook's own address. Otherwise it limits redirects as http.Client
// does by default, but counts from the last retry on.
func checkRestart(req *http.Request, _ []*http.Request) error {
	p := progressOf(req)
	if p.redirects >= maxRedirects {
		return fmt.Errorf("stopped after %d redirects", maxRedirects)
	}
	if p.redirects > 0 {
		return nil
	}
	// A redirect such as 302 has taken method and body away.
	first, ok := withNewBody(p.first)
	if !ok {
		return errors.New("the review cannot be sent again")
	}
	closeBody(req)
	req.Method, req.Header = first.Method, first.Header.Clone()
	req.Body, req.GetBody, req.ContentLength = first.Body, first.GetBody, first.ContentLength
	return nil
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
