package source

import (
	"sync"
	"sync/atomic"

	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/matching"
)

// pendingChanges holds whether informers have delivered changes that are not
// compiled yet, and otherwise the current snapshot. The zero value has neither.
//
//	add      called by an informer:     pending = true    current = nil
//	take     called by compilePending:  pending = false
//	publish  called by compilePending:                    current = snapshot, if pending is false
type pendingChanges struct {
	// current is nil while there are changes to compile.
	//
	// Invariant: current is nil while pending is true, and from add until a
	// snapshot with that change is published. So a reader that loads a snapshot
	// from here, with one atomic load, has all changes that were delivered before.
	current atomic.Pointer[matching.Snapshot]

	// mu guards pending and is held while current is written. Hold it only
	// briefly: informers wait for it.
	mu      sync.Mutex
	pending bool
}

// add records that a change was delivered. After add has returned, no request
// gets the state before.
func (n *pendingChanges) add() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.pending = true
	n.current.Store(nil)
}

// take reports whether a change was delivered since the last take. The
// caller must hold Informed.builderMu from take to publish, and read the stores of
// the informers in between.
func (n *pendingChanges) take() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	taken := n.pending
	n.pending = false
	return taken
}

// publish makes a snapshot the current one, unless a change has arrived since
// take.
func (n *pendingChanges) publish(snapshot *matching.Snapshot) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.pending {
		n.current.Store(snapshot)
	}
}

// handler returns the event handler for an informer. It only records that there
// are changes and does not compile them, so that it does not delay the informer.
func (s *Informed) handler() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(any) { s.change() },
		UpdateFunc: func(old, obj any) {
			// A resync delivers objects that have not changed.
			if old != obj {
				s.change()
			}
		},
		DeleteFunc: func(any) { s.change() },
	}
}

// change records a change and wakes up run.
func (s *Informed) change() {
	s.pending.add()
	s.signal()
}
