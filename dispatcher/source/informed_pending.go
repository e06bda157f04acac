package source

import (
	"sync"
	"sync/atomic"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// pendingChanges are the changes that informers have delivered and that have
// not been compiled, and the current snapshot if there are none. The zero value
// has neither.
//
//	enqueue  called by an informer:     webhooks += change   current = nil
//	drain    called by compilePending:  webhooks -> empty
//	publish  called by compilePending:                       current = snapshot, if webhooks is empty
type pendingChanges struct {
	// current is nil while there are changes to compile.
	//
	// Invariant: current is nil while webhooks is not empty, and from enqueue
	// until a snapshot with that change is published. So a reader that loads a
	// snapshot from here, with one atomic load, has all changes that were
	// delivered before.
	current atomic.Pointer[matching.Snapshot]

	// mu guards webhooks and is held while current is written. Hold it only
	// briefly: informers wait for it.
	mu       sync.Mutex
	webhooks map[configurationKey][]*admission.Webhook // nil for a deleted configuration
}

// enqueue records the webhooks that a configuration declares now; nil if it was
// deleted. After enqueue has returned, no request sees the state before.
func (n *pendingChanges) enqueue(id configurationKey, declared []*admission.Webhook) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.webhooks == nil {
		n.webhooks = map[configurationKey][]*admission.Webhook{}
	}
	n.webhooks[id] = declared
	n.current.Store(nil)
}

// drain returns the changes and removes them. The caller must hold
// Informed.builderMu from drain to publish.
func (n *pendingChanges) drain() map[configurationKey][]*admission.Webhook {
	n.mu.Lock()
	defer n.mu.Unlock()
	changes := n.webhooks
	n.webhooks = nil
	return changes
}

// publish makes a snapshot the current one, unless a change has arrived since
// drain.
func (n *pendingChanges) publish(snapshot *matching.Snapshot) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.webhooks) == 0 {
		n.current.Store(snapshot)
	}
}

// handler returns the event handler for one kind. It only enqueues changes and
// does not compile them, so that it does not delay the informer.
func (s *Informed) handler(kind string) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) { s.enqueue(kind, obj, true) },
		UpdateFunc: func(old, obj any) {
			// A resync delivers objects that have not changed.
			if old != obj {
				s.enqueue(kind, obj, true)
			}
		},
		DeleteFunc: func(obj any) { s.enqueue(kind, obj, false) },
	}
}

// enqueue records a change and wakes up run.
func (s *Informed) enqueue(kind string, obj any, present bool) {
	name, declared := declaredWebhooks(obj)
	if name == "" {
		return
	}
	if !present {
		declared = nil
	}
	s.pending.enqueue(configurationKey{kind, name}, declared)
	s.signal()
}

// declaredWebhooks returns the name of a configuration and its webhooks, which
// are not nil even if there are none. For a configuration whose deletion the
// informer missed it returns the name only (S-065). The name of other objects
// is empty.
func declaredWebhooks(obj any) (string, []*admission.Webhook) {
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
