package dispatcher

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// grace is how much longer than the client's own timeout a call may take. It lets
// the client be the one to say that time is up, in its own words.
const grace = 10 * time.Millisecond

// withinTimeout returns a context that ends when the webhook's own timeout is over.
// It begins before the endpoint is asked for, because that may take its time, too.
func (c *call) withinTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	s := c.webhook.TimeoutSeconds
	if s == nil {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, time.Duration(*s)*time.Second)
}

// deadline returns a context that ends when the call's time is up, whatever the
// call is doing then, and the timeout that the webhook is told (S-260…S-263).
func deadline(ctx context.Context, client time.Duration) (context.Context, context.CancelFunc, time.Duration) {
	timeout := announced(ctx, client)
	limit := timeout
	if client > 0 {
		limit = min(limit, client+grace)
	}
	if limit <= 0 || endsWithin(ctx, limit) {
		return ctx, func() {}, timeout
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	return ctx, cancel, timeout
}

// endsWithin reports whether a context has a deadline that is no later than so much
// time from now.
func endsWithin(ctx context.Context, limit time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ok && time.Until(deadline) <= limit
}

// untimed returns a client without a timeout if the context's deadline comes first:
// a timeout costs a goroutine for every request.
func untimed(ctx context.Context, client *http.Client) *http.Client {
	if client.Timeout == 0 || !endsWithin(ctx, client.Timeout-1) {
		return client
	}
	without := *client
	without.Timeout = 0
	return &without
}

// announced returns the timeout that the webhook is told: the time that is left,
// rounded up to a second (S-261), or the client's own if there is no deadline
// (S-262).
func announced(ctx context.Context, fallback time.Duration) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return fallback
	}
	left := time.Until(deadline)
	if left <= 0 {
		return fallback
	}
	if truncated := left.Truncate(time.Second); truncated != left {
		return truncated + time.Second
	}
	return left
}

// announce tells a webhook the timeout. Nothing in one has to be escaped.
func announce(u *url.URL, timeout time.Duration) {
	if timeout > 0 {
		u.RawQuery = "timeout=" + timeout.String()
	}
}
