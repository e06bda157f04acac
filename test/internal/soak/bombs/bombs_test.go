package bombs

import (
	"context"
	"errors"
	"net/http"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/soak/engine"
)

// The tests that run bombs do so one after the other, because Run looks at the
// whole process.

type entry = testtable.Row

func run(t *testing.T, ctx context.Context, o Options) *Result {
	t.Helper()
	r, err := Run(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRun sends every bomb in both phases; none exceeds its limits.
func TestRun(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(512 << 20))
	all := len(bombs())
	r := run(t, t.Context(), Options{Duration: time.Second, Callers: 2 * all, Timeout: 30, Late: 30 * time.Second})
	if found := r.Violations(); len(found) > 0 || r.Unexpected > 0 {
		t.Errorf("%d violations: %s", r.Unexpected, strings.Join(found, "\n"))
	}
	if len(r.Bombs) != all || r.Limit != 512<<20 {
		t.Errorf("%d bombs with a limit of %d bytes", len(r.Bombs), r.Limit)
	}
	for _, b := range r.Bombs {
		if b.Calls < 4 || b.Own < 2 || b.Own+b.Budget+b.Expired != b.Calls || b.Longest == 0 {
			t.Errorf("got %+v", b)
		}
	}
	var text strings.Builder
	r.Print(&text)
	for _, part := range []string{"copy-bomb", "memory limit  512.0 MiB\n", "unexpected    0\n", "servers       peak "} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("%q is not in what is printed:\n%s", part, text.String())
		}
	}
}

// TestOtherEndsAreFound: a run in which no bomb has time enough shows nothing.
func TestOtherEndsAreFound(t *testing.T) {
	r := run(t, t.Context(), Options{
		Duration: time.Millisecond, Callers: 1, Timeout: 1, Late: 30 * time.Second,
		wrap: func(next dispatcher.Client) dispatcher.Client { return endless{next} },
	})
	found := strings.Join(r.Violations(), "\n")
	for _, want := range []string{
		"endless-body, mutating: a request that was alone did not come to its own end",
		"2 of 2 calls ended because of the budget or their time, which is more than half",
	} {
		if !strings.Contains(found, want) {
			t.Errorf("%q is not in:\n%s", want, found)
		}
	}
}

// endless is a client whose calls last until their timeout.
type endless struct{ dispatcher.Client }

// Endpoint implements dispatcher.Client.
func (e endless) Endpoint(ctx context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	at, err := e.Client.Endpoint(ctx, w)
	if err != nil {
		return nil, err
	}
	http := *at.HTTP
	http.Transport = waiting{}
	return &dispatcher.Endpoint{URL: at.URL, HTTP: &http}, nil
}

type waiting struct{}

// RoundTrip implements http.RoundTripper.
func (waiting) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// TestWrongEndsAreFound: bombs that are not where they should be end otherwise.
func TestWrongEndsAreFound(t *testing.T) {
	r := run(t, t.Context(), Options{
		Duration: time.Millisecond, Callers: len(bombs()), Timeout: 30, Late: 30 * time.Second,
		endpoints: func(endpoints map[string]endpoint) {
			endpoints["huge-headers"], endpoints["many-annotations"] = endpoints["many-annotations"], endpoints["huge-headers"]
			delete(endpoints, "deny-5mib")
		},
	})
	found := strings.Join(r.Violations(), "\n")
	for _, want := range []string{
		"huge-headers, mutating: a request ended with <nil>",
		`many-annotations, mutating: a request ended with Internal error occurred: failed calling webhook "many-annotations.bombs.example.com"`,
		"deny-5mib, mutating: a request ended with Internal error occurred",
	} {
		if !strings.Contains(found, want) {
			t.Errorf("%q is not in:\n%s", want, found)
		}
	}
	if r.Unexpected < 3 {
		t.Errorf("%d calls were unexpected", r.Unexpected)
	}
}

func TestLateRequestsAreFound(t *testing.T) {
	r := run(t, t.Context(), Options{
		Duration: time.Millisecond, Callers: 1, Timeout: 1, Late: time.Millisecond,
		wrap: func(next dispatcher.Client) dispatcher.Client {
			return engine.Late{Client: next, By: 1200 * time.Millisecond}
		},
	})
	if found := strings.Join(r.Violations(), "\n"); !strings.Contains(found, "endless-body, mutating: a request returned after ") {
		t.Errorf("got %s", found)
	}
}

func TestRunEndsEarly(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := run(t, ctx, Options{Duration: time.Hour})
	if found := r.Violations(); len(found) > 0 || len(r.Bombs) != len(bombs()) || r.Bombs[0].Calls != 0 {
		t.Errorf("%+v: %q", r.Bombs, found)
	}
	var text strings.Builder
	r.Print(&text)
	if !strings.Contains(text.String(), "memory limit  none: start it with GOMEMLIMIT=256MiB\n") && r.Limit == 0 {
		t.Errorf("that there is no limit is not in what is printed:\n%s", text.String())
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	named := func(text string) error {
		return errors.New(`failed calling webhook "gzip-bomb.bombs.example.com": ` + text)
	}
	gzip := bomb{fault: "gzip-bomb", mutating: "(Limits.ResponseBody)", validating: ""}
	nameless := bomb{fault: "copy-bomb", mutating: "(Limits.PatchCopies)", nameless: true}
	type judgeCase struct {
		entry
		bomb  bomb
		phase admission.Phase
		err   error
		want  end
	}
	testtable.Run(t, []judgeCase{
		{entry{"own", "what the bomb is for"}, gzip, admission.Mutating, named("more (Limits.ResponseBody)"), own},
		{entry{"allowed", "some bombs do no harm"}, gzip, admission.Validating, nil, own},
		{entry{"allowed, but not to be", "a limit did not hold"}, gzip, admission.Mutating, nil, unexpected},
		{entry{"failed, but to be allowed", "another limit was too strict"}, gzip, admission.Validating, named("no"), unexpected},
		{entry{"budget", "other calls may have it all"}, gzip, admission.Validating, named("(Limits.Budget)"), budget},
		{entry{"expired", "there may be no time"}, gzip, admission.Mutating, named("context deadline exceeded"), expired},
		{entry{"other limit", "each has its own"}, gzip, admission.Mutating, named("(Limits.ResponseHeader)"), unexpected},
		{entry{"other name", "each call has its own error"}, gzip, admission.Mutating,
			errors.New(`failed calling webhook "other.bombs.example.com": (Limits.ResponseBody)`), unexpected},
		{entry{"budget without a name", "the operator would not know which budget"}, gzip, admission.Mutating, errors.New("(Limits.Budget)"), unexpected},
		{entry{"nameless", "patches fail without a name"}, nameless, admission.Mutating, errors.New("(Limits.PatchCopies)"), own},
		{entry{"nameless only for the patch", "all else has its name"}, nameless, admission.Mutating, errors.New("context deadline exceeded"), unexpected},
	}, func(t *testing.T, tc judgeCase) {
		if got := tc.bomb.judge(tc.phase, tc.err); got != tc.want {
			t.Errorf("got %d, want %d", got, tc.want)
		}
	})
}
