package behaviour

import (
	"cmp"
	"context"
	"slices"
	"time"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// latencies is the check of how long a webhook takes.
func latencies() []check.Check {
	return []check.Check{{
		Check: report.Check{
			ID: "C-LATENCY", Group: report.Behaviour, Level: report.Should,
			Title: "takes at most half of its timeout",
			Why:   "Whoever made the request waits for every mutating webhook in turn, and at timeoutSeconds the call has failed: failurePolicy decides. A webhook that is near that when nothing else goes on is beyond it under load.",
			Fix:   "Answer from a cache rather than by calls to other servers, do what is not about the answer afterwards, or set a larger timeoutSeconds.",
		},
		Each: answersQuickly,
	}}
}

func answersQuickly(ctx context.Context, w *probe.Webhook, r *check.Record) {
	good := w.Good()
	if len(good) == 0 {
		r.Lacks("the webhook has no good answer")
		return
	}
	most := w.Timeout() / 2
	calls := measure(ctx, w, good, most)
	if len(calls) == 0 {
		r.Lacks("the webhook answered nothing any more")
		return
	}
	r.Saw()
	slices.SortStableFunc(calls, func(a, b *probe.Exchange) int { return cmp.Compare(a.Elapsed, b.Elapsed) })
	p99 := percentile(calls, 99)
	r.Note("p50 %s, p99 %s of %d calls", rounded(percentile(calls, 50).Elapsed), rounded(p99.Elapsed), len(calls))
	if p99.Elapsed > most {
		r.Fail(p99, "1%% of the calls take %s or longer, and the timeout is %s", rounded(p99.Elapsed), w.Timeout())
	}
}

// measure calls a webhook as often as it was asked to. It ends early if so many of the calls
// were slower than slow that the others would make no difference.
func measure(ctx context.Context, w *probe.Webhook, good []*probe.Visit, slow time.Duration) []*probe.Exchange {
	var calls []*probe.Exchange
	beyond := 0
	for i := range w.Calls() {
		v := good[i%len(good)]
		x := w.Send(ctx, v.Name, v.Review())
		if x.Answer == nil && x.Elapsed < w.Timeout() {
			continue // there was no answer, but not because it took too long
		}
		calls = append(calls, x)
		if x.Elapsed > slow {
			beyond++
		}
		if beyond > w.Calls()/100 {
			break
		}
	}
	return calls
}

// percentile returns the call than which no more than n percent are quicker.
func percentile(sorted []*probe.Exchange, n int) *probe.Exchange {
	return sorted[(len(sorted)*n+99)/100-1]
}

// rounded is a duration for people.
func rounded(d time.Duration) time.Duration {
	if d >= 10*time.Millisecond {
		return d.Round(time.Millisecond)
	}
	return d.Round(10 * time.Microsecond)
}
