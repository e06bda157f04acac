package source

import (
	"sync"
	"sync/atomic"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// notes are the changes that informers have delivered and nobody has looked at,
// and the snapshot that requests can use when there are none. The zero value has
// neither.
//
//	add      an informer:  pending += change   current = nil
//	take     a compiler:   pending -> empty
//	settle   a compiler:                       current = snapshot, if pending is empty
type notes struct {
	// current is nil while there is something to compile.
	//
	// Invariant: it is nil whenever pending is not empty, and from add on until
	// a snapshot that has that change is settled. So whoever finds a snapshot
	// here, by one atomic load, has all that was delivered before.
	current atomic.Pointer[matching.Snapshot]

	// mu guards pending and is held by those who write current. It is held for
	// moments only: informers wait for it.
	mu      sync.Mutex
	pending map[identity][]*admission.Webhook // nil for a configuration that is gone
}

// add notes what a configuration declares now; nil if it is gone. When it has
// returned, no request gets to see the state before.
func (n *notes) add(id identity, declared []*admission.Webhook) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.pending == nil {
		n.pending = map[identity][]*admission.Webhook{}
	}
	n.pending[id] = declared
	n.current.Store(nil)
}

// take returns the changes and forgets them. Whoever takes must settle before
// somebody else takes.
func (n *notes) take() map[identity][]*admission.Webhook {
	n.mu.Lock()
	defer n.mu.Unlock()
	changes := n.pending
	n.pending = nil
	return changes
}

// settle hands a snapshot with all that was ever taken to requests to come,
// unless it is behind by now.
func (n *notes) settle(snapshot *matching.Snapshot) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.pending) == 0 {
		n.current.Store(snapshot)
	}
}

// handler returns the handler for one kind. It only takes notes: an informer
// delivers to all of its handlers one event at a time.
func (s *Informed) handler(kind string) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) { s.note(kind, obj, true) },
		UpdateFunc: func(old, obj any) {
			// A resync delivers what is there already.
			if old != obj {
				s.note(kind, obj, true)
			}
		},
		DeleteFunc: func(obj any) { s.note(kind, obj, false) },
	}
}

// note notes a change and has the goroutine look at it.
func (s *Informed) note(kind string, obj any, present bool) {
	name, declared := read(obj)
	if name == "" {
		return
	}
	if !present {
		declared = nil
	}
	s.notes.add(identity{kind, name}, declared)
	s.wake()
}

// read returns the name of a configuration and what it declares: never nil, also
// if it declares nothing. Of a configuration whose deletion was missed only the
// name counts (S-065).
func read(obj any) (string, []*admission.Webhook) {
	switch c := obj.(type) {
	case *registrationv1.MutatingWebhookConfiguration:
		return c.Name, admission.MutatingWebhooks(c)
	case *registrationv1.ValidatingWebhookConfiguration:
		return c.Name, admission.ValidatingWebhooks(c)
	case cache.DeletedFinalStateUnknown:
		return c.Key, nil
	default:
		return "", nil
	}
}
