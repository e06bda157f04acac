package dispatcher_test

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
)

// timeoutRow has the timeouts of request, HTTP client and webhook; 0 or nil for
// none.
type timeoutRow struct {
	row
	request, client time.Duration
	webhook         *int32

	// query is the timeout in the webhook's URL, and limit the actual one.
	query string
	limit time.Duration
	err   string
}

// TestTimeouts runs in a synctest bubble, whose clock advances only when all
// goroutines wait, so that durations are exact.
func TestTimeouts(t *testing.T) {
	t.Parallel()
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		t.Run(phase.String(), func(t *testing.T) {
			t.Parallel()
			testtable.Run(t, timeoutRows(), func(t *testing.T, tc timeoutRow) {
				synctest.Test(t, func(t *testing.T) { tc.run(t, phase) })
			})
		})
	}
}

// run calls a webhook that is silent until the timeout.
func (tc *timeoutRow) run(t *testing.T, phase admission.Phase) {
	ctx := t.Context()
	if tc.request != 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, tc.request)
		defer cancel()
	}
	var query string
	silent := exchange(func(r *http.Request) (*http.Response, error) {
		query = r.URL.RawQuery
		if tc.limit == 0 {
			return allow()(r)
		}
		<-r.Context().Done()
		return nil, r.Context().Err()
	})
	s := one(phase, silent, func(w *admission.Webhook) { w.TimeoutSeconds = tc.webhook })
	s.config = func(c *dispatcher.Config) {
		c.Client = clientFunc(func(_ context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
			return endpoint(w, &http.Client{Transport: silent, Timeout: tc.client}), nil
		})
	}
	start := time.Now()
	r := s.run(ctx, t, phase)
	if len(r.calls) != 1 {
		t.Fatalf("%d calls and error %v, want one call", len(r.calls), r.err)
	}
	if took := time.Since(start); took != tc.limit || query != tc.query {
		t.Errorf("the webhook was told %q and had %v, want %q and %v", query, took, tc.query, tc.limit)
	}
	got := testtable.Text(r.calls[0].Err)
	// The client ends with its own timeout the context that the webhook waits
	// for; which of the two is blamed is chance.
	got = strings.TrimSuffix(got, " (Client.Timeout exceeded while awaiting headers)")
	if got != tc.err {
		t.Errorf("error:\n got %s\nwant %s", got, tc.err)
	}
	if lasted := r.calls[0].Duration; lasted != tc.limit {
		t.Errorf("the call lasted %v, want %v", lasted, tc.limit)
	}
}

func timeoutRows() []timeoutRow {
	late := func(query string) string {
		return `failed calling webhook "hook.example.com": failed to call webhook: Post "https://hook.example.com/review?` +
			query + `": context deadline exceeded`
	}
	const half = 1300 * time.Millisecond
	return []timeoutRow{{
		row:     row{"webhook", "S-260, S-261: the webhook's own timeout"},
		webhook: new(int32(3)), query: "timeout=3s", limit: 3 * time.Second, err: late("timeout=3s"),
	}, {
		row:     row{"request", "S-261: what is left of the request, rounded up for the webhook but not for us"},
		request: half, query: "timeout=2s", limit: half, err: late("timeout=2s"),
	}, {
		row:     row{"request before webhook", "S-263: the earliest wins"},
		request: half, webhook: new(int32(10)), query: "timeout=2s", limit: half, err: late("timeout=2s"),
	}, {
		row:     row{"webhook before request", "S-263: the earliest wins"},
		request: time.Minute, webhook: new(int32(10)), query: "timeout=10s", limit: 10 * time.Second, err: late("timeout=10s"),
	}, {
		row:     row{"long request", "S-261: Go's way to write a duration is the wire format"},
		request: 90 * time.Second, query: "timeout=1m30s", limit: 90 * time.Second, err: late("timeout=1m30s"),
	}, {
		row:    row{"client", "S-262: without any deadline the client's own timeout is announced"},
		client: 30 * time.Second, query: "timeout=30s", limit: 30 * time.Second, err: late("timeout=30s"),
	}, {
		row:    row{"client before webhook", "S-263: the client's timeout ends the call, but the URL has the webhook's"},
		client: 30 * time.Second, webhook: new(int32(40)), query: "timeout=40s", limit: 30 * time.Second,
		err: late("timeout=40s"),
	}, {
		row: row{"no limit", "without any limit nothing is announced, and the call takes as long as it takes"},
	}}
}

// timedOut is the error of requests whose own context has ended.
const timedOut = "Timeout: request did not complete within requested timeout"

// TestExpiredRequests begins when the request's time is already over.
func TestExpiredRequests(t *testing.T) {
	t.Parallel()
	type expired struct {
		row
		exact    bool
		phase    admission.Phase
		policy   func(*admission.Webhook)
		err      string
		answered int
	}
	failing := func(*admission.Webhook) {}
	const failed = `Internal error occurred: failed calling webhook "hook.example.com": failed to call webhook: context canceled`
	testtable.Run(t, []expired{
		{row{"validating", "S-190, S-265: the request has ended, so no webhook is called"}, false, admission.Validating, failing, timedOut, 0},
		{row{"validating, Ignore", "S-190: no policy plays a part"}, false, admission.Validating, ignoring, timedOut, 0},
		{row{"mutating", "N1: the same answer as while validating"}, false, admission.Mutating, failing, timedOut, 1},
		{row{"mutating, Ignore", "S-182: the request has ended, so the phase does not go on"}, false, admission.Mutating, ignoring, timedOut, 1},
		{row{"exactly, validating", "S-190: as by default"}, true, admission.Validating, failing, timedOut, 0},
		{row{"exactly, mutating", "S-265: the call fails before anything is sent, and the policy applies"}, true, admission.Mutating, failing, failed, 1},
		{row{"exactly, mutating, Ignore", "S-182: as by default"}, true, admission.Mutating, ignoring, timedOut, 1},
	}, func(t *testing.T, tc expired) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		s := one(tc.phase, func(r *http.Request) (*http.Response, error) { return nil, r.Context().Err() }, tc.policy,
			func(w *admission.Webhook) { w.TimeoutSeconds = nil })
		s.config = func(c *dispatcher.Config) { c.Exact = tc.exact }
		r := s.run(ctx, t, tc.phase)
		if testtable.Text(r.err) != tc.err || len(r.calls) != tc.answered {
			t.Errorf("%d calls and error\n%v\nwant %d and\n%s", len(r.calls), r.err, tc.answered, tc.err)
		}
	})
}

// slowRow is a client that takes its time to say where a webhook is: until the
// context is done if it is 0.
type slowRow struct {
	row
	request, asking time.Duration
	webhook         *int32

	// query is the timeout in the webhook's URL, if it is called, and limit
	// when the call ends.
	query string
	limit time.Duration
	err   string
}

// TestSlowClients: the webhook's timeout starts before Client.Endpoint is
// called.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	const unknown = `failed calling webhook "hook.example.com": failed to call webhook: context deadline exceeded`
	rows := []slowRow{{
		row:     row{"webhook", "no call takes longer than the webhook's own timeout"},
		webhook: new(int32(1)), limit: time.Second, err: unknown,
	}, {
		row:     row{"request", "nor longer than the request may"},
		request: 700 * time.Millisecond, webhook: new(int32(1)), limit: 700 * time.Millisecond, err: unknown,
	}, {
		row:     row{"in time", "the URL has the remaining time, rounded up (S-261)"},
		webhook: new(int32(3)), asking: 1200 * time.Millisecond, query: "timeout=2s", limit: 3 * time.Second,
		err: `failed calling webhook "hook.example.com": failed to call webhook: Post "https://hook.example.com/review?timeout=2s": context deadline exceeded`,
	}}
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		t.Run(phase.String(), func(t *testing.T) {
			t.Parallel()
			testtable.Run(t, rows, func(t *testing.T, tc slowRow) {
				synctest.Test(t, func(t *testing.T) { tc.run(t, phase) })
			})
		})
	}
}

func (tc *slowRow) run(t *testing.T, phase admission.Phase) {
	ctx, cancel := context.WithTimeout(t.Context(), cmp.Or(tc.request, time.Minute))
	defer cancel()
	query := ""
	silent := exchange(func(r *http.Request) (*http.Response, error) {
		query = r.URL.RawQuery
		<-r.Context().Done()
		return nil, r.Context().Err()
	})
	s := one(phase, silent, func(w *admission.Webhook) { w.TimeoutSeconds = tc.webhook })
	s.config = func(c *dispatcher.Config) {
		c.Client = clientFunc(func(ctx context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
			asking, cancel := context.WithTimeout(ctx, cmp.Or(tc.asking, time.Hour))
			defer cancel()
			<-asking.Done()
			return endpoint(w, &http.Client{Transport: silent}), ctx.Err()
		})
	}
	start := time.Now()
	r := s.run(ctx, t, phase)
	if took := time.Since(start); took != tc.limit || query != tc.query {
		t.Errorf("the webhook was told %q and the call took %v, want %q and %v", query, took, tc.query, tc.limit)
	}
	if len(r.calls) != 1 || testtable.Text(r.calls[0].Err) != tc.err {
		t.Errorf("calls %+v, want one with error\n%s", r.calls, tc.err)
	}
}
