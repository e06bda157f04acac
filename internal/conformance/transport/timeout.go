package transport

import (
	"context"
	"slices"
	"time"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

func timeouts() []check.Check {
	return []check.Check{{
		Check: report.Check{
			ID: "C-TIMEOUT", Group: report.Protocol, Level: report.Must,
			Title: "answers the same whatever the timeout in the query is",
			Why:   "kube-apiserver sends with each review how long it will wait, in seconds: at most timeoutSeconds, and less if the request as a whole has less left, down to 1s. A webhook that takes a safety margin off may be left with nothing, and fails calls that it had the time for.",
			Fix:   "Read the timeout with time.ParseDuration. Leave out safety margins, or make them a part of the time (a tenth); kube-apiserver hangs up itself when the time is over.",
		},
		Each: heedsTimeout,
	}}
}

func heedsTimeout(ctx context.Context, w *probe.Webhook, r *check.Record) {
	r.Lacks(check.Unanswered)
	// The least and the most that kube-apiserver sends (S-261).
	extremes := slices.Compact([]time.Duration{time.Second, w.Timeout()})
	for _, met := range w.Typical() {
		for _, timeout := range extremes {
			if met.Elapsed > timeout/2 {
				r.Lacks("the webhook takes more than half of its time, which is for C-LATENCY")
				continue
			}
			r.Saw()
			x := w.Ask(ctx, probe.Ask{Sample: met.Sample, Review: met.Again(), Timeout: timeout})
			switch {
			case x.Answer == nil:
				r.Fail(x, "with timeout=%s there is no answer: %s", timeout, x.Outcome())
			case x.Elapsed > timeout:
				r.Fail(x, "with timeout=%s the answer took %s", timeout, x.Elapsed.Round(time.Millisecond))
			case x.Answer.IsAllowed() != met.Answer.IsAllowed():
				r.Fail(x, "with timeout=%s the answer is %s, and %s with timeout=%s", timeout, x.Outcome(), met.Outcome(), w.Timeout())
			}
		}
	}
}
