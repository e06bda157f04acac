package dispatcher

import (
	"context"
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
	if limit <= 0 {
		return ctx, func() {}, timeout
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	return ctx, cancel, timeout
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

func withTimeout(u url.URL, timeout time.Duration) string {
	if timeout > 0 {
		u.RawQuery = url.Values{"timeout": {timeout.String()}}.Encode()
	}
	return u.String()
}
