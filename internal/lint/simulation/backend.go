package simulation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"syscall"
	"time"

	gatehouse "example.com/gatehouse/admission"
	"example.com/gatehouse/internal/lint/inventory"
)

// runKey is the key of the *run in the context of a request.
type runKey struct{}

// run is the state of one request: which backends are down, and its virtual clock.
type run struct {
	down     Down
	deadline time.Duration
	// expire ends the request's context.
	expire context.CancelFunc

	lock sync.Mutex
	// serial is the time of the mutating calls, parallel that of the longest
	// validating call.
	serial, parallel time.Duration
}

// wait lets a call take its timeout, or the rest of the time until the deadline.
// Validating calls begin at the same time.
func (r *run) wait(phase gatehouse.Phase, timeout time.Duration) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if phase == gatehouse.Validating {
		r.parallel = max(r.parallel, timeout)
		return
	}
	if r.serial += timeout; r.serial >= r.deadline {
		r.expire()
	}
}

// timeout is that of the webhook, or the request's deadline if it has none.
func (r *run) timeout(w *gatehouse.Webhook) time.Duration {
	if w.TimeoutSeconds == nil {
		return r.deadline
	}
	return time.Duration(*w.TimeoutSeconds) * time.Second
}

// setDurations gives each call the virtual time that it waited.
func (r *run) setDurations(calls []gatehouse.Call) {
	left := r.deadline
	for i := range calls {
		c := &calls[i]
		c.Duration = 0
		if c.URL == "" || r.down[inventory.BackendOf(c.Webhook)] != Hanging {
			continue
		}
		c.Duration = min(r.timeout(c.Webhook), left)
		if c.Webhook.Phase == gatehouse.Mutating {
			left -= c.Duration
		}
	}
}

// total returns the time that the request took, and whether that was too long.
func (r *run) total() (elapsed time.Duration, timedOut bool) {
	r.lock.Lock()
	defer r.lock.Unlock()
	elapsed = r.serial + r.parallel
	return min(elapsed, r.deadline), elapsed >= r.deadline
}

// transport answers for a webhook.
type transport struct{ webhook *inventory.Webhook }

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	defer request.Body.Close()
	run, ok := request.Context().Value(runKey{}).(*run)
	if !ok {
		return nil, errors.New("the request is not one of Run")
	}
	switch run.down[t.webhook.Backend] {
	case Refusing:
		refused := os.NewSyscallError("connect", syscall.ECONNREFUSED)
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: refused}
	case Hanging:
		run.wait(t.webhook.Phase, run.timeout(t.webhook.Webhook))
		return nil, context.DeadlineExceeded
	}
	return allow(request.Body)
}

// allow returns the response of a healthy webhook to a review.
func allow(review io.Reader) (*http.Response, error) {
	version, uid, err := identify(json.NewDecoder(review))
	if err != nil {
		return nil, fmt.Errorf("reading the review: %w", err)
	}
	body := fmt.Appendf(nil, `{"apiVersion":%q,"kind":"AdmissionReview","response":{"uid":%q,"allowed":true}}`, version, uid)
	return &http.Response{
		StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)), Header: http.Header{"Content-Type": {"application/json"}},
	}, nil
}

// identify returns the apiVersion of a review and the uid of its request. It does not read
// the objects, which come later and may be large.
func identify(review *json.Decoder) (version, uid string, err error) {
	if _, err := review.Token(); err != nil {
		return "", "", err
	}
	for review.More() {
		key, err := review.Token()
		if err != nil {
			return "", "", err
		}
		switch key {
		case "request":
			if _, err := review.Token(); err != nil {
				return "", "", err
			}
		case "apiVersion":
			err = review.Decode(&version)
		case "uid":
			err := review.Decode(&uid)
			return version, uid, err
		default:
			err = review.Decode(&json.RawMessage{})
		}
		if err != nil {
			return "", "", err
		}
	}
	return "", "", errors.New("it has no uid")
}
