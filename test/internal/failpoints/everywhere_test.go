//go:build failpoints

package failpoints

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/engine/failpoint"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestEverywhere tries everything everywhere.
func TestEverywhere(t *testing.T) {
	t.Parallel()
	var tried atomic.Int64
	t.Run("sites", func(t *testing.T) {
		testtable.Run(t, sites(), func(t *testing.T, s site) {
			for _, r := range s.runs() {
				tried.Add(1)
				t.Run(r.String(), func(t *testing.T) { synctest.Test(t, r.try) })
			}
		})
	})
	t.Logf("%d runs", tried.Load())
}

// try takes the run through the engine and through the model.
func (r *run) try(t *testing.T) {
	w := newWorld(t, r)
	timed, end := context.WithTimeout(t.Context(), patience)
	defer end()
	ctx, cancel := context.WithCancel(timed)
	defer cancel()
	var acted atomic.Bool
	hook := func(webhook string, p failpoint.Point) {
		if r.happens(webhook, p, w.budget.Used()) && acted.CompareAndSwap(false, true) {
			r.act(cancel)
		}
	}
	start := time.Now()
	err := w.send(failpoint.With(ctx, hook), r.phase)
	got := w.observe(t, err, time.Since(start))
	e := r.expect()
	if want := e.report(t, r); !cmp.Equal(want, got) {
		t.Errorf("the request ended with %v (-want +got):\n%s", err, cmp.Diff(want, got))
	}
	if !acted.Load() {
		t.Error("the point was not reached")
	}
	// Detached goroutines end, without any further effect.
	time.Sleep(2 * patience)
	if after := w.observe(t, err, got.Took); !cmp.Equal(got, after) {
		t.Errorf("what came later (-before +after):\n%s", cmp.Diff(got, after))
	}
	w.client.Close()
	if open := w.open.Load(); open != 0 {
		t.Errorf("%d connections are open after the client was closed", open)
	}
	if used := w.budget.Used(); used != 0 {
		t.Errorf("%d bytes of the budget are still reserved", used)
	}
}

// act does what happens at the site.
func (r *run) act(cancel func()) {
	switch r.action {
	case cancels:
		cancel()
		synctest.Wait() // until all goroutines have noticed
	case panics:
		panic("boom")
	default:
		time.Sleep(r.action.takes())
	}
}
