package transport

import (
	"context"
	"slices"
	"time"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

func heedsTimeout(ctx context.Context, w *probe.Webhook, r *check.Record) {
	r.Missing(check.NothingAnswered)
	// The smallest and the largest that kube-apiserver sends (S-261).
	extremes := slices.Compact([]time.Duration{time.Second, w.Timeout()})
	for _, met := range w.OnePerOperation() {
		for _, timeout := range extremes {
			if met.Elapsed > timeout/2 {
				r.Missing("the webhook takes more than half of its time, which is for C-LATENCY")
				continue
			}
			r.Checked()
			x := within(ctx, w, met, timeout)
			switch {
			case x.Answer == nil:
				r.Fail(x, "with timeout=%s there is no answer: %s", timeout, x.Outcome())
			case x.Elapsed > timeout:
				r.Fail(x, "with timeout=%s the answer took %s", timeout, x.Elapsed.Round(time.Millisecond))
			case x.Answer.IsAllowed() != met.Answer.IsAllowed():
				r.Fail(x, "with timeout=%s the answer is %s, and %s with timeout=%s", timeout, x.Outcome(),
					met.Outcome(), w.Timeout())
			}
		}
	}
}

// attempts is how often a review is sent whose answer is late: on a busy machine, any call
// may be.
const attempts = 3

// within sends the review of an exchange again, with another timeout.
func within(
	ctx context.Context, w *probe.Webhook, met *probe.Exchange, timeout time.Duration,
) (x *probe.Exchange) {
	for range attempts {
		x = w.Do(ctx, probe.RawRequest{Sample: met.Sample, Review: met.ReviewCopy(), Timeout: timeout})
		if x.Elapsed <= timeout {
			break
		}
	}
	return x
}
