package probe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"example.com/gatehouse/internal/offline/resolve"
)

const (
	// maxTimeouts is the number of timeouts after which a webhook is no longer
	// called: each takes as long as its timeout, and a run makes hundreds of
	// calls.
	maxTimeouts = 10
	// maxTimeoutsUnanswered is the limit for a webhook that has never answered.
	maxTimeoutsUnanswered = 3
)

// health counts timeouts of a webhook to decide when to stop calling it.
type health struct {
	// answered is true if it has answered at least once; timeouts counts its
	// timeouts.
	answered bool
	timeouts int
	// last is why the last call got no response; nil if it got one.
	last error
}

// record updates the health of the webhook from an exchange.
func (w *Webhook) record(x *Exchange) {
	m := &w.health
	m.last = nil
	late := x.timedOut()
	if late {
		m.timeouts++
	}
	if late || x.Status == 0 {
		m.last = x.Err
	}
	m.answered = m.answered || x.Err == nil
	w.Unreachable = m.unreachable()
}

// unreachable returns why the webhook is no longer called; nil if it still is.
func (m *health) unreachable() error {
	switch {
	case errors.Is(m.last, http.ErrSchemeMismatch):
		return errors.New("it serves plain HTTP, and kube-apiserver calls webhooks over HTTPS only")
	case isNotReached(m.last):
		return fmt.Errorf("it was not reached: %w", m.last)
	case !m.answered && (IsDialError(m.last) || m.timeouts >= maxTimeoutsUnanswered):
		return fmt.Errorf("it cannot be reached: %w", m.last)
	case m.timeouts >= maxTimeouts:
		return fmt.Errorf("it was late %d times: %w", m.timeouts, m.last)
	}
	return nil
}

// isNotReached reports whether the run may not connect to the webhook.
func isNotReached(err error) bool {
	var notReached *resolve.NotReachedError
	return errors.As(err, &notReached)
}

// CheckReachable reports whether the webhook answers. If the last call got no
// response, CheckReachable calls the webhook up to two more times, because it
// may be restarting. If the webhook still does not answer, it becomes
// Unreachable. since names the check after which it stopped answering.
func (w *Webhook) CheckReachable(ctx context.Context, since string) bool {
	for range 2 {
		if w.health.last == nil || w.Unreachable != nil || len(w.Visits) == 0 {
			break
		}
		v := w.Visits[0]
		if good := w.AnsweredVisits(); len(good) > 0 {
			v = good[0]
		}
		w.Send(ctx, v.Name, v.Review())
	}
	if w.Unreachable == nil && w.health.last != nil && ctx.Err() == nil {
		w.Unreachable = fmt.Errorf("it has not answered since %s: %w", since, w.health.last)
	}
	return w.Unreachable == nil
}

// NotReached reports whether the run does not call the webhook because it may
// not connect to it.
func (w *Webhook) NotReached() bool { return isNotReached(w.Unreachable) }

// timeoutError is the error of a response that is late.
type timeoutError struct{ limit time.Duration }

func (e *timeoutError) Error() string { return fmt.Sprintf("no answer within %s", e.limit) }

// Timeout makes it a timeout, as the errors of package net are.
func (e *timeoutError) Timeout() bool { return true }

// timedOut reports whether the response, or its end, did not arrive in time.
func (x *Exchange) timedOut() bool {
	var timeout interface{ Timeout() bool }
	return errors.As(x.Err, &timeout) && timeout.Timeout()
}
