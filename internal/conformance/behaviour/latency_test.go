package behaviour

import (
	"net/http"
	"regexp"
	"slices"
	"testing"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/testutil/testtable"
)

// slow takes so long for all calls but the first, which are free.
func slow(free int, by time.Duration) http.Handler {
	calls := 0 // calls of these tests come one after the other
	return probetest.Handler(func(probe.Review, map[string]any) {
		if calls++; calls > free {
			time.Sleep(by)
		}
	})
}

// gone is a webhook that answers once.
func gone() http.Handler {
	calls := 0 // calls of these tests come one after the other
	return silent(func(probe.Review) bool { calls++; return calls > 1 }, nothing)
}

func second(w *registrationv1.MutatingWebhook) { w.TimeoutSeconds = new(int32(1)) }

type timed struct {
	row
	handler http.Handler
	verdict report.Verdict
	message string
	finding string
}

func TestLatency(t *testing.T) {
	t.Parallel()
	const duration = `[0-9.]+(µs|ms|s)`
	testtable.Run(t, []timed{
		{row{"quick", "what was measured is said"}, patching(nothing), report.Pass, `^p50 ` + duration + `, p99 ` + duration + ` of 20 calls$`, ""},
		{row{"slow", "a few calls are enough to know"}, slow(2, 550*time.Millisecond), report.Fail, `^p50 ` + duration + `, p99 ` + duration + ` of 2 calls$`,
			`^1% of the calls take ` + duration + ` or longer, and the timeout is 1s$`},
		{row{"denying", "a denial is an answer like any other"}, denying(hasLabel("app"), nothing), report.Pass, `of 20 calls$`, ""},
		{row{"gone", "there is nothing to measure any more"}, gone(), report.Skip, `^the webhook answered nothing any more$`, ""},
		{row{"silent", "there is nothing to measure"}, silent(hasLabel("app"), nothing), report.Skip, `^the webhook has no good answer$`, ""},
	}, func(t *testing.T, tc timed) {
		limit := func(*registrationv1.MutatingWebhook) {} // so long that no machine is too slow
		if tc.verdict == report.Fail {
			limit = second
		}
		c := probetest.New(t, tc.handler, mutating(1, limit), created()...)
		got := measured(t, c)
		if got.Verdict != tc.verdict || !regexp.MustCompile(tc.message).MatchString(got.Message) {
			t.Errorf("got %s: %q, want %s: %q", got.Verdict, got.Message, tc.verdict, tc.message)
		}
		if (len(got.Findings) == 1) != (tc.finding != "") {
			t.Errorf("got %d findings, want %q", len(got.Findings), tc.finding)
		}
		for _, f := range got.Findings {
			if !regexp.MustCompile(tc.finding).MatchString(f.String()) || len(f.Evidence) != 1 {
				t.Errorf("the finding is %q with %d exchanges, want %q with one", f, len(f.Evidence), tc.finding)
			}
		}
	})
}

func measured(t *testing.T, c *probe.Collection) report.Result {
	t.Helper()
	checks := Checks()
	i := slices.IndexFunc(checks, func(one check.Check) bool { return one.ID == "C-LATENCY" })
	r := &check.Record{}
	checks[i].Run(t.Context(), c.Webhooks[0], r)
	return r.Result(&checks[i], "")
}

type nth struct {
	row
	calls, percent, want int
}

func TestPercentile(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []nth{
		{row{"one call", "it is all of them"}, 1, 99, 1},
		{row{"median", "as many are quicker as are slower"}, 101, 50, 51},
		{row{"99 of 100", "the slowest one does not count"}, 100, 99, 99},
		{row{"99 of 101", "of more than a hundred it is one more"}, 101, 99, 100},
		{row{"99 of 20", "of a few the slowest counts"}, 20, 99, 20},
	}, func(t *testing.T, tc nth) {
		var sorted []*probe.Exchange
		for i := range tc.calls {
			sorted = append(sorted, &probe.Exchange{Elapsed: time.Duration(i + 1)})
		}
		if got := percentile(sorted, tc.percent).Elapsed; got != time.Duration(tc.want) {
			t.Errorf("it is the call %d, want %d", got, tc.want)
		}
	})
}
