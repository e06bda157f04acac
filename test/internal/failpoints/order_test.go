//go:build failpoints

package failpoints

import (
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/failpoint"
)

// TestOrder has an ordinary request reach every point, in order, so that none
// is lost.
func TestOrder(t *testing.T) {
	t.Parallel()
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		for _, long := range []bool{false, true} {
			r := &run{phase: phase, long: long, kind: kinds()[0]}
			t.Run(r.String(), func(t *testing.T) { synctest.Test(t, r.follow) })
		}
	}
}

// follow compares the points that each webhook was at with those there are.
func (r *run) follow(t *testing.T) {
	w := newWorld(t, r)
	var mu sync.Mutex
	reached := map[string][]failpoint.Point{}
	err := w.send(failpoint.With(t.Context(), func(webhook string, p failpoint.Point) {
		mu.Lock()
		defer mu.Unlock()
		reached[webhook] = append(reached[webhook], p)
	}), r.phase)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]failpoint.Point{}
	for _, s := range sites() {
		if s.mutatingOnly() && r.phase == admission.Validating {
			continue
		}
		if !s.ofWebhooks() {
			want[""] = append(want[""], s.point)
			continue
		}
		for i := range webhooks {
			want[webhookName(i)] = append(want[webhookName(i)], s.point)
		}
	}
	for webhook, points := range reached {
		reached[webhook] = once(points)
	}
	if diff := cmp.Diff(want, reached); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// once leaves out what comes again and again: parts of bodies, and annotations.
func once(points []failpoint.Point) []failpoint.Point {
	first := map[failpoint.Point]int{}
	for i, p := range slices.Backward(points) {
		first[p] = i
	}
	return slices.SortedFunc(maps.Keys(first), func(a, b failpoint.Point) int { return first[a] - first[b] })
}

// TestTableIsComplete: a point without a row would never be tried.
func TestTableIsComplete(t *testing.T) {
	t.Parallel()
	var listed []failpoint.Point
	for _, s := range sites() {
		if s.Name() != s.point.String() {
			t.Errorf("the row of %v is called %q", s.point, s.Name())
		}
		listed = append(listed, s.point)
	}
	if diff := cmp.Diff(failpoint.Points(), listed); diff != "" {
		t.Errorf("(-points +table):\n%s", diff)
	}
}
