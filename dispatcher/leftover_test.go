package dispatcher_test

import (
	"context"
	goruntime "runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestLeftovers has a webhook's patches take an hour each, until there is no
// place for more. Then it sends a large answer, which has to wait and is
// dropped with its share of the budget. Another webhook's is decoded.
func TestLeftovers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		budget := limits.NewBudget(0)
		large := padded(100<<10, allow())
		s := &testRequest{
			webhooks: []*admission.Webhook{hook(admission.Mutating, "busy.example.com", ignoring), hook(admission.Mutating, "other.example.com")},
			backends: backends{"busy.example.com": patches(lateRows()[0].patch), "other.example.com": large},
			config:   func(c *dispatcher.Config) { c.Limits.Budget = budget },
		}
		s.request.object = pod("app", "web")
		s.patchingWith(func(int) { time.Sleep(time.Hour) })
		r := newResult()
		d := s.dispatcher(t, r)
		admit := func() []admission.Call {
			seen := len(r.calls)
			if err := d.Mutating().Admit(t.Context(), s.attributes(r.recorder), s.interfaces()); err != nil {
				t.Errorf("error %v", err)
			}
			return r.calls[seen:]
		}
		for range 2 * goruntime.GOMAXPROCS(0) {
			wantLate(t, admit(), "patching the object: ")
		}
		wantLate(t, admit(), "patching the object has to wait for other work of this webhook: ")
		s.backends["busy.example.com"] = large
		wantLate(t, admit(), "decoding the response has to wait for other work of this webhook: ")
		if budget.Used() != 0 {
			t.Errorf("%d bytes were not returned", budget.Used())
		}
		time.Sleep(2 * time.Hour)
		if calls := admit(); calls[0].Outcome != admission.Allowed {
			t.Errorf("after all has come to its end: %v with error %v", calls[0].Outcome, calls[0].Err)
		}
	})
}

// wantLate requires that the first webhook timed out, and that the second was
// called at once.
func wantLate(t *testing.T, calls []admission.Call, doing string) {
	t.Helper()
	if len(calls) != 2 || !strings.HasSuffix(testtable.Text(calls[0].Err), doing+context.DeadlineExceeded.Error()) {
		t.Fatalf("calls %+v, want one that ends with %s", calls, doing)
	}
	if other := calls[1]; other.Outcome != admission.Allowed || other.Duration != 0 {
		t.Errorf("%s: %v after %v with error %v", other.Webhook.Name, other.Outcome, other.Duration, other.Err)
	}
}
