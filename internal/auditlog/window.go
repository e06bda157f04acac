package auditlog

import (
	"container/heap"
	"time"
)

// The sizes of a window, of which each is enough to pass on the earliest event.
const (
	windowEvents = 4096
	windowBytes  = 32 << 20
)

// window sorts events that arrive almost in order: several servers may write to one file,
// and each writes an event when its response is complete.
type window struct {
	visit  func(*Event) error
	events eventHeap
	size   int
	// patience is how much later than an event another one may be before it is passed on;
	// 0 for as late as there is room. newest is the time of the latest event.
	patience time.Duration
	newest   time.Time
	// first and last are the times of the events that were passed on. late counts those
	// that are earlier than the one before them.
	first, last time.Time
	late        int
}

func newWindow(visit func(*Event) error) *window { return &window{visit: visit} }

// add takes an event, and passes on the earliest ones if the window is full.
func (w *window) add(e *Event) error {
	heap.Push(&w.events, e)
	w.size += sizeOf(e)
	if e.Time.After(w.newest) {
		w.newest = e.Time
	}
	for len(w.events) > windowEvents || w.size > windowBytes || w.waited() {
		if err := w.pass(); err != nil {
			return err
		}
	}
	return nil
}

// waited reports whether the earliest event has waited long enough.
func (w *window) waited() bool {
	return w.patience > 0 && len(w.events) > 0 && w.newest.Sub(w.events[0].Time) > w.patience
}

// flush passes on all events.
func (w *window) flush() error {
	for len(w.events) > 0 {
		if err := w.pass(); err != nil {
			return err
		}
	}
	return nil
}

func (w *window) pass() error {
	e := heap.Pop(&w.events).(*Event)
	w.size -= sizeOf(e)
	switch {
	case w.first.IsZero():
		w.first, w.last = e.Time, e.Time
	case e.Time.Before(w.last):
		w.late++
	default:
		w.last = e.Time
	}
	return w.visit(e)
}

func sizeOf(e *Event) int { return e.Size + 1<<10 }

// eventHeap has the earliest event first. Events of one time stay in the order of their
// lines.
type eventHeap []*Event

func (h eventHeap) Len() int      { return len(h) }
func (h eventHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h eventHeap) Less(i, j int) bool {
	if !h[i].Time.Equal(h[j].Time) {
		return h[i].Time.Before(h[j].Time)
	}
	return h[i].Line < h[j].Line
}

// Push adds an event.
func (h *eventHeap) Push(e any) { *h = append(*h, e.(*Event)) }

// Pop removes the last event.
func (h *eventHeap) Pop() any {
	old := *h
	e := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return e
}
