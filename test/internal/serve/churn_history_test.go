package serve_test

import "sync"

// doing is what a configuration has its webhook do to objects.
type doing string

const (
	nothing doing = "nothing" // there is no configuration
	labels  doing = "labels"
	denies  doing = "denies"
	fails   doing = "fails"
)

// anyRevision is for webhooks that have left no trace.
const anyRevision = -1

// history is what a configuration has been, revision by revision: first nothing.
type history struct {
	mu        sync.Mutex
	revisions []doing
	// inForce is the last revision of which it is known that every request meets it or
	// a later one.
	inForce int
}

// add adds a revision that is about to be written, and returns its number.
func (h *history) add(does doing) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.revisions = append(h.revisions, does)
	return len(h.revisions) - 1
}

// confirm notes that a revision is in force.
func (h *history) confirm(revision int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.inForce = max(h.inForce, revision)
}

// first returns the oldest revision that a request can meet which begins now.
func (h *history) first() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.inForce
}

// met reports whether a request that has ended now can have met a certain revision
// which does something. The first that it could meet is from before it began.
func (h *history) met(first int, does doing, revision int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := first; i < len(h.revisions); i++ {
		if h.revisions[i] == does && (revision == anyRevision || revision == i) {
			return true
		}
	}
	return false
}
