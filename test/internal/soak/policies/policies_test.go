package policies

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestRun soaks for a moment.
func TestRun(t *testing.T) {
	r, err := Run(t.Context(), Options{Duration: 3 * time.Second, Policies: 70, Callers: 4, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	r.Print(&text)
	t.Logf("\n%s", &text)
	for _, v := range r.Violations() {
		t.Error(v)
	}
	if r.calls.Count() == 0 || r.writes.Load() == 0 {
		t.Error("nothing was called, or nothing written")
	}
}

// TestEndedRequest has an expensive expression evaluated for a request that has
// ended.
func TestEndedRequest(t *testing.T) {
	t.Parallel()
	w, err := newWorld(len(sorts))
	if err != nil {
		t.Fatal(err)
	}
	defer w.close()
	expensive := w.slots[slices.Index(sorts, "cost")]
	_, _ = send(t.Context(), w, expensive) // the policies are compiled then
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = send(ctx, w, expensive)
	if err == nil || !strings.Contains(err.Error(), "operation interrupted: context canceled") {
		t.Errorf("got %v", err)
	}
}

// TestJudge finds what is wrong.
func TestJudge(t *testing.T) {
	t.Parallel()
	w, err := newWorld(len(sorts))
	if err != nil {
		t.Fatal(err)
	}
	defer w.close()
	for _, s := range w.slots {
		version, err := send(t.Context(), w, s)
		if problem := s.judge(err, version, 1, 1); problem != "" {
			t.Error(problem)
		}
		other := &slot{number: s.number, sort: sorts[(s.number+1)%len(sorts)]}
		if other.judge(err, version, 1, 1) == "" {
			t.Errorf("the result of %s is good for %s: %v", s.sort, other.sort, err)
		}
		if (s.sort == "denies" || s.sort == "labels") && s.judge(err, version, 2, 3) == "" {
			t.Errorf("%s: an old version is good", s.sort)
		}
	}
}
