package model

import (
	"slices"
	"sync"
)

// History is the states of one kind of configurations in the order in which the
// store of an informer has had them. Make one with NewHistory.
type History struct {
	mu sync.Mutex
	// states are those that a request which is under way may see, first is the
	// number of the first of them.
	states []State
	first  int64
	// delivered is the number of the last state whose delivery to the handler
	// is complete.
	delivered int64
	// open has the requests that are under way by the number of the state that
	// was delivered at their start.
	open map[int64]int
}

// NewHistory returns a history that begins with no configuration.
func NewHistory() *History {
	return &History{states: []State{nil}, open: map[int64]int{}}
}

// Window is the time of a request.
type Window struct {
	history *History
	start   int64
}

// Open opens the window of a request that is about to start.
func (h *History) Open() Window {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open[h.delivered]++
	return Window{history: h, start: h.delivered}
}

// Close ends the window of a request that has ended, and returns the states
// that it may have seen.
func (w Window) Close() []State {
	h := w.history
	h.mu.Lock()
	defer h.mu.Unlock()
	states := slices.Clone(h.states[w.start-h.first:])
	if h.open[w.start]--; h.open[w.start] == 0 {
		delete(h.open, w.start)
		h.forget()
	}
	return states
}

// forget drops the states that no request can see any more.
func (h *History) forget() {
	oldest := h.delivered
	for start := range h.open {
		oldest = min(oldest, start)
	}
	h.states = slices.Delete(h.states, 0, int(oldest-h.first))
	h.first = oldest
}

// Settled reports whether the last state has been delivered and is that one.
func (h *History) Settled(s State) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	last := h.first + int64(len(h.states)) - 1
	return h.delivered == last && h.states[len(h.states)-1].Equal(s)
}

// begin lists a store. It adds a state if that is not the last one, and returns the
// number of the state.
func (h *History) begin(list func() []any) (number int64, objects []any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	objects = list()
	if now := stateOf(objects); !now.Equal(h.states[len(h.states)-1]) {
		h.states = append(h.states, now)
	}
	return h.first + int64(len(h.states)) - 1, objects
}

// end marks the delivery of a state as complete.
func (h *History) end(number int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.delivered = max(h.delivered, number)
	if len(h.open) == 0 {
		h.forget()
	}
}

// Mark is a moment in a history.
type Mark struct {
	history *History
	at      int64
}

// Mark returns this moment.
func (h *History) Mark() Mark {
	h.mu.Lock()
	defer h.mu.Unlock()
	return Mark{h, h.delivered}
}

// Passed reports whether all requests that are under way know what had been
// delivered at that moment.
func (m Mark) Passed() bool {
	m.history.mu.Lock()
	defer m.history.mu.Unlock()
	for start := range m.history.open {
		if start < m.at {
			return false
		}
	}
	return true
}
