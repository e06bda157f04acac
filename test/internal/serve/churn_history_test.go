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

// history is what a configuration has been, revision by revision: first
// nothing.
type history struct {
	mu        sync.Mutex
	revisions []doing
	// inForce is the last revision that is known to be in force: every request
	// sees it or a later one.
	inForce int
}

// add adds a revision before it is written, and returns its number.
func (h *history) add(does doing) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.revisions = append(h.revisions, does)
	return len(h.revisions) - 1
}

// confirm records that a revision is in force.
func (h *history) confirm(revision int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.inForce = max(h.inForce, revision)
}

// first returns the oldest revision that a request which begins now can see.
func (h *history) first() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.inForce
}

// met reports whether a request that has ended now can have seen a revision
// that does something. first is the oldest revision that it could see at its
// start.
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
