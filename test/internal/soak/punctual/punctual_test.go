package punctual

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/test/faultserver"
	"example.com/gatehouse/test/internal/soak/engine"
)

// The tests run one after the other, because Run looks at the whole process.

// bounded is a measurement that works on any machine.
func bounded(t *testing.T, calls int, names ...string) Options {
	t.Helper()
	o := Options{Calls: calls, Waiting: calls, Within: 10 * time.Second}
	for _, name := range names {
		f, ok := faultserver.Lookup(name)
		if !ok {
			t.Fatalf("there is no fault %q", name)
		}
		o.Faults = append(o.Faults, f)
	}
	return o
}

func run(t *testing.T, ctx context.Context, o Options) *Result {
	t.Helper()
	r, err := Run(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRun: rows that wait are distinguished from the others, and the number of
// calls is right.
func TestRun(t *testing.T) {
	r := run(t, t.Context(), bounded(t, 8, "hang", "full-queue", "tls-hang", "deny", "first-fails", "refused-stream", "panic-patch"))
	if found := r.Violations(); len(found) > 0 || len(r.Unmeasured) > 0 {
		t.Errorf("violations %q, unmeasured %q", found, r.Unmeasured)
	}
	type outcome struct {
		together                bool
		allowed, denied, failed int
	}
	// Of 8 calls 2 are for each phase with each policy.
	want := map[string]outcome{
		"hang":           {true, 4, 0, 4},
		"full-queue":     {true, 4, 0, 4},
		"tls-hang":       {true, 4, 0, 4},
		"refused-stream": {true, 4, 0, 4},
		"deny":           {false, 0, 8, 0},
		"panic-patch":    {false, 2, 0, 6},
	}
	for _, row := range r.Rows {
		got := outcome{row.Together, row.Allowed, row.Denied, row.Failed}
		if row.Calls != 8 || want[row.Fault] != got && row.Fault != "first-fails" {
			t.Errorf("%s: %+v, want %+v", row.Fault, row, want[row.Fault])
		}
		if row.Together && (row.Expired != 8 || row.P50 == 0 || row.TimerMost == 0) {
			t.Errorf("%s waits, but not to the end: %+v", row.Fault, row)
		}
		// Half of the requests fail, and half of these without consequences.
		if row.Fault == "first-fails" && (row.Failed == 0 || row.Failed == 8 || row.Failed+row.Allowed != 8) {
			t.Errorf("what the first request meets is not repeated: %+v", row)
		}
	}
	var text strings.Builder
	r.Print(&text)
	for _, part := range []string{"full-queue", "timer p99.9", "7 rows in "} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("%q is not in what is printed:\n%s", part, text.String())
		}
	}
}

// TestLateEnginesAreFound: 300 ms after the timeout is not within 50 ms.
func TestLateEnginesAreFound(t *testing.T) {
	o := bounded(t, 4, "hang")
	o.Within = 0
	o.wrap = func(next dispatcher.Client) dispatcher.Client {
		return engine.Late{Client: next, By: 1300 * time.Millisecond}
	}
	r := run(t, t.Context(), o)
	found := r.Violations()
	if len(found) != 1 || !strings.HasPrefix(found[0], "hang: p99.9 of 4 calls returned ") || !strings.Contains(found[0], "allowed are 50ms") {
		t.Errorf("got %q", found)
	}
	if row := r.Rows[0]; row.P50 < 295*time.Millisecond {
		t.Errorf("got %+v", row)
	}
}

// TestHangingEnginesAreFound: Run returns although the engine does not.
func TestHangingEnginesAreFound(t *testing.T) {
	release := make(chan struct{})
	o := bounded(t, 3, "deny")
	o.Alone = 3
	o.hangs = 100 * time.Millisecond
	var begun atomic.Int32
	o.wrap = func(next dispatcher.Client) dispatcher.Client {
		late := engine.Late{Client: next, By: time.Hour, Until: release}
		return asked{late, func() {
			// The hanging call does not keep the row from draining: it is
			// released long after it was reported as hanging.
			if begun.Add(1) == 3 {
				time.AfterFunc(2*time.Second, func() { close(release) })
			}
		}}
	}
	r := run(t, t.Context(), o)
	found := r.Violations()
	if len(found) == 0 || found[0] != "deny: 3 of 3 calls did not return within 100ms" {
		t.Errorf("got %q", found)
	}
}

// asked calls back before each call.
type asked struct {
	dispatcher.Client
	tell func()
}

// Endpoint implements dispatcher.Client.
func (a asked) Endpoint(ctx context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	a.tell()
	return a.Client.Endpoint(ctx, w)
}

// TestLeaksAreFound: what an engine leaves behind is a violation.
func TestLeaksAreFound(t *testing.T) {
	done := make(chan struct{})
	o := bounded(t, 1, "deny")
	o.drains = 50 * time.Millisecond
	o.wrap = func(next dispatcher.Client) dispatcher.Client {
		for range 20 { // something of an earlier test may just be ending
			go func() { <-done }()
		}
		return next
	}
	found := run(t, t.Context(), o).Violations()
	close(done)
	// The finding may be about the other row: 50 ms are also short for its
	// detached goroutines.
	leaked := func(text string) bool {
		return strings.HasPrefix(text, "when all rows were closed, ") && strings.Contains(text, "goroutines and") && strings.Contains(text, "TestLeaksAreFound")
	}
	if !slices.ContainsFunc(found, leaked) {
		t.Errorf("got %q", found)
	}
}

// TestRunEndsEarly: rows that were not measured are reported as such.
func TestRunEndsEarly(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := run(t, ctx, bounded(t, 4, "hang", "deny"))
	if len(r.Rows) != 0 || len(r.Unmeasured) != 2 || len(r.Violations()) != 0 {
		t.Errorf("got %+v", r)
	}
	o := bounded(t, 4, "deny")
	o.Duration = time.Nanosecond
	r = run(t, t.Context(), o)
	if len(r.Rows) != 0 || len(r.Unmeasured) != 1 || len(r.Violations()) != 0 {
		t.Errorf("got %+v", r)
	}
	o = bounded(t, 1_000_000, "deny")
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	o.wrap = func(next dispatcher.Client) dispatcher.Client { return asked{next, cancel} }
	r = run(t, ctx, o)
	if len(r.Rows) != 1 || len(r.Unmeasured) != 1 || len(r.Violations()) != 0 {
		t.Errorf("got %+v", r)
	}
}

func TestWaitingFaultsExist(t *testing.T) {
	t.Parallel()
	for _, name := range waiting() {
		if _, ok := faultserver.Lookup(name); !ok {
			t.Errorf("there is no fault %q", name)
		}
	}
}

func TestAllFaultsByDefault(t *testing.T) {
	o := Options{}.withDefaults()
	if len(o.Faults) != len(faultserver.Named()) || o.Calls != 1000 || o.Within != 50*time.Millisecond {
		t.Errorf("%d faults, %d calls, within %s", len(o.Faults), o.Calls, o.Within)
	}
}
