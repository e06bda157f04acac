package dispatcher

import (
	"context"
	"net/url"
	"time"
)

// grace is how much longer than the client's own timeout a call may take. It
// lets the client be the one to say that time is up, in its own words.
const grace = 10 * time.Millisecond

// withinTimeout returns a context that ends after the timeoutSeconds of the
// webhook. They include the time in which the Client looks up the endpoint and
// its credentials, other than in kube-apiserver (S-260).
func (c *call) withinTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	s := c.webhook.TimeoutSeconds
	if s == nil {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, time.Duration(*s)*time.Second)
}

// withClientTimeout returns a context that ends after the timeout of the HTTP
// client, and the timeout that the URL tells the webhook (S-261…S-263).
func withClientTimeout(
	ctx context.Context, client time.Duration,
) (context.Context, context.CancelFunc, time.Duration) {
	timeout := announcedTimeout(ctx, client)
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

// endsWithin reports whether a context has a deadline, at most limit from now.
func endsWithin(ctx context.Context, limit time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ok && time.Until(deadline) <= limit
}

// announcedTimeout returns the timeout that the URL tells the webhook: the time
// that is left, rounded up to a second (S-261), or the client's own if there is
// no deadline (S-262).
func announcedTimeout(ctx context.Context, fallback time.Duration) time.Duration {
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

// setTimeoutQuery tells a webhook the timeout, which needs no escaping.
func setTimeoutQuery(u *url.URL, timeout time.Duration) {
	if timeout > 0 {
		u.RawQuery = "timeout=" + timeout.String()
	}
}
