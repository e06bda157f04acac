package engine

import (
	"context"
	"errors"
	"net/http"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
)

// Late is a client whose transport ignores contexts: every call fails after the
// transport's own time, not after the webhook's timeout. Soaks that measure
// time must detect it.
type Late struct {
	dispatcher.Client
	// By is how long a call takes.
	By time.Duration
	// Until ends all calls when it is closed. By default nothing does.
	Until <-chan struct{}
}

// Endpoint implements dispatcher.Client.
func (l Late) Endpoint(ctx context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	e, err := l.Client.Endpoint(ctx, w)
	if err != nil {
		return nil, err
	}
	slow := *e
	slow.HTTP = &http.Client{Transport: l}
	return &slow, nil
}

// RoundTrip implements http.RoundTripper.
func (l Late) RoundTrip(*http.Request) (*http.Response, error) {
	timer := time.NewTimer(l.By)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-l.Until:
	}
	return nil, errors.New("late")
}
