package behaviour

import (
	"cmp"
	"context"
	"slices"
	"time"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

func answersQuickly(ctx context.Context, w *probe.Webhook, r *check.Record) {
	good := w.AnsweredVisits()
	if len(good) == 0 {
		r.Missing("the webhook has no good answer")
		return
	}
	most := w.Timeout() / 2
	calls := measure(ctx, w, good, most)
	if len(calls) == 0 {
		r.Missing("the webhook answered nothing any more")
		return
	}
	r.Checked()
	slices.SortStableFunc(
		calls, func(a, b *probe.Exchange) int { return cmp.Compare(a.Elapsed, b.Elapsed) })
	p99 := percentile(calls, 99)
	r.Note("p50 %s, p99 %s of %d calls", rounded(percentile(calls, 50).Elapsed),
		rounded(p99.Elapsed), len(calls))
	if p99.Elapsed > most {
		// It is another sample in each run.
		r.Add(check.Finding{Evidence: []*probe.Exchange{p99}}, "1%% of the calls take %s or longer, and the timeout is %s",
			rounded(p99.Elapsed), w.Timeout())
	}
}

// measure calls a webhook Calls times. It stops early once enough calls
// exceeded slow to decide the check.
func measure(
	ctx context.Context, w *probe.Webhook, good []*probe.Visit, slow time.Duration,
) []*probe.Exchange {
	var calls []*probe.Exchange
	slowCalls := 0
	for i := range w.Config().Calls {
		v := good[i%len(good)]
		x := w.Send(ctx, v.Name, v.Review())
		if x.Answer == nil && x.Elapsed < w.Timeout() {
			continue // the call failed for another reason than time
		}
		calls = append(calls, x)
		if x.Elapsed > slow {
			slowCalls++
		}
		if slowCalls > w.Config().Calls/100 {
			break
		}
	}
	return calls
}

// percentile returns the exchange at the n-th percentile.
func percentile(sorted []*probe.Exchange, n int) *probe.Exchange {
	return sorted[(len(sorted)*n+99)/100-1]
}

// rounded returns a duration with few digits.
func rounded(d time.Duration) time.Duration {
	if d >= 10*time.Millisecond {
		return d.Round(time.Millisecond)
	}
	return d.Round(10 * time.Microsecond)
}
