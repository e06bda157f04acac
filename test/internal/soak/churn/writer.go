package churn

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"example.com/gatehouse/test/internal/soak/model"
	"example.com/gatehouse/test/internal/soak/tally"
)

// writer changes configurations and namespaces. It belongs to one goroutine, but for its
// counters.
type writer struct {
	world    *world
	random   *rand.Rand
	slots    []*slot
	revision int64
	findings *tally.Findings
	// changes counts the objects that were written or deleted, silences how
	// often everything had been delivered, events how often something bigger
	// happened.
	changes, silences, events atomic.Int64
}

func newWriter(w *world, seed uint64, findings *tally.Findings) *writer {
	return &writer{world: w, random: rand.New(rand.NewPCG(seed, 0)), slots: slotsOf(w),
		findings: findings}
}

// pace is how many changes a second there are in a part of a cycle.
type pace struct {
	part   float64
	second float64
}

// paces are those of a cycle, and silent is the part of it in which nothing
// changes.
var paces = []pace{{0.3, 1}, {0.3, 5}, {0.2, 20}, {0.08, 60}, {0.04, 200}}

const silent = 0.08

// run changes configurations until the context ends, and leaves all of them
// delivered.
func (w *writer) run(ctx context.Context, cycle time.Duration) {
	for n := 0; ctx.Err() == nil; n++ {
		end := time.After(cycle)
		w.event(ctx, n)
		for _, p := range paces {
			w.keepPace(ctx, time.Duration(p.part*float64(cycle)), p.second)
		}
		w.beSilent(ctx, cycle)
		select {
		case <-end:
		case <-ctx.Done():
		}
	}
}

// keepPace makes so many changes a second for a while.
func (w *writer) keepPace(ctx context.Context, d time.Duration, second float64) {
	tick := time.NewTicker(time.Duration(float64(time.Second) / second))
	defer tick.Stop()
	end := time.After(d)
	for {
		w.change()
		select {
		case <-tick.C:
		case <-end:
			return
		case <-ctx.Done():
			return
		}
	}
}

// change makes one change, or two: what was deleted or renamed is there again
// at once half of the time.
func (w *writer) change() {
	s := w.slots[w.random.IntN(len(w.slots))]
	switch choice := w.random.IntN(10); {
	case !s.exists() || s.stays || choice < 6:
		w.put(s)
	case choice < 8:
		w.remove(s)
	case choice < 9:
		w.remove(s)
		w.put(s)
	default: // renamed
		w.remove(s)
		s.names[0], s.names[1] = s.names[1], s.names[0]
		w.put(s)
	}
}

// put writes the next revision of a configuration.
func (w *writer) put(s *slot) {
	w.revision++
	object := s.object(s.names[0], w.revision)
	s.now = model.Of(object)
	s.of.collection.Put(object)
	w.changes.Add(1)
}

func (w *writer) putAll() {
	for _, s := range w.slots {
		w.put(s)
	}
}

func (w *writer) remove(s *slot) {
	s.now = nil
	s.of.collection.Delete(s.names[0])
	w.changes.Add(1)
}

// written is the state that a collection has.
func (w *writer) written(f *followed) model.State {
	var state model.State
	for _, s := range w.slots {
		if s.of == f && s.exists() {
			state = state.With(s.now)
		}
	}
	return state
}

// beSilent waits until everything is delivered, and then for a while in which
// only one state is permitted.
func (w *writer) beSilent(ctx context.Context, cycle time.Duration) {
	if !w.waitDelivered(context.WithoutCancel(ctx)) {
		return
	}
	if ctx.Err() != nil {
		return // callers have ended, and were counted at other rests
	}
	for _, f := range w.world.all() {
		f.collection.Forget() // or the memory of the stand-in API server would go up and down
	}
	if err := w.world.rests.take(context.WithoutCancel(ctx)); err != nil {
		w.findings.Add("closing idle connections: %v", err)
	}
	select {
	case <-time.After(time.Duration(silent * float64(cycle))):
		w.silences.Add(1)
	case <-ctx.Done():
	}
}

// waitDelivered waits until everything is delivered to the engine, and reports whether
// it was.
func (w *writer) waitDelivered(ctx context.Context) bool {
	for _, f := range w.world.all() {
		if err := f.waitDelivered(ctx, w.written(f)); err != nil {
			w.findings.Add("%v", err)
			return false
		}
	}
	return true
}
