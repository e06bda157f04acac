package probe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

const (
	// patience is how often a webhook may be late until it is asked no more: each time
	// takes as long as its timeout, and there are hundreds of questions.
	patience = 10
	// firstPatience is how often if it has never answered.
	firstPatience = 3
)

// mood is what has come of the questions to a webhook, as far as it says whether there
// is any point in asking it more.
type mood struct {
	// answered says that it has answered once, late how often it was late.
	answered bool
	late     int
	// last is why nothing came back the last time; nil if something did.
	last error
}

// notice takes note of an exchange.
func (w *Webhook) notice(x *Exchange) {
	w.mood.notice(x)
	w.Unreachable = w.mood.over()
}

func (m *mood) notice(x *Exchange) {
	m.last = nil
	late := x.late()
	if late {
		m.late++
	}
	if late || x.Status == 0 {
		m.last = x.Err
	}
	m.answered = m.answered || x.Err == nil
}

// over says why the webhook is to be asked no more; nil if it is.
func (m *mood) over() error {
	switch {
	case errors.Is(m.last, http.ErrSchemeMismatch):
		return errors.New("it speaks plain HTTP, and kube-apiserver calls webhooks over HTTPS only")
	case !m.answered && (Unconnected(m.last) || m.late >= firstPatience):
		return fmt.Errorf("it cannot be reached: %w", m.last)
	case m.late >= patience:
		return fmt.Errorf("it was late %d times: %w", m.late, m.last)
	}
	return nil
}

// StillThere reports whether a webhook answers that did not the last time, and has it
// asked no more if it does not: since says since when. It may have been restarted, so
// that it is asked twice.
func (w *Webhook) StillThere(ctx context.Context, since string) bool {
	for range 2 {
		if w.mood.last == nil || w.Unreachable != nil || len(w.Visits) == 0 {
			break
		}
		v := w.Visits[0]
		if good := w.Good(); len(good) > 0 {
			v = good[0]
		}
		w.Send(ctx, v.Name, v.Review())
	}
	if w.Unreachable == nil && w.mood.last != nil && ctx.Err() == nil {
		w.Unreachable = fmt.Errorf("it has not answered since %s: %w", since, w.mood.last)
	}
	return w.Unreachable == nil
}

// lateError is that there was no answer in time.
type lateError struct{ limit time.Duration }

func (e *lateError) Error() string { return fmt.Sprintf("no answer within %s", e.limit) }

// Timeout has it count as one, like those of the net packages.
func (e *lateError) Timeout() bool { return true }

// late reports whether the answer, or the rest of it, did not come in time.
func (x *Exchange) late() bool {
	var timeout interface{ Timeout() bool }
	return errors.As(x.Err, &timeout) && timeout.Timeout()
}
