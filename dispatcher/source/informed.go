package source

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	registrationinformers "k8s.io/client-go/informers/admissionregistration/v1"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/matching"
)

// Watched are the informers that an Informed source follows. They are started
// by whoever made them.
type Watched struct {
	// Mutating and Validating deliver the configurations. A phase without an
	// informer has no webhooks; at least one is required.
	Mutating   registrationinformers.MutatingWebhookConfigurationInformer
	Validating registrationinformers.ValidatingWebhookConfigurationInformer
	// Also are other conditions of being ready, such as the informer of
	// namespaces having synced.
	Also []cache.InformerSynced
	// Published is told about new snapshots after requests can see them, in
	// order, by one goroutine of the source; of several in quick succession
	// maybe only about the last. It may take its time, but must not close the
	// source, which waits for it. A panic in it is contained. By default nobody
	// is told.
	Published func(*matching.Snapshot)
}

// How long a request waits for a source that has not synced, and how often it
// looks (S-005).
const (
	readyTimeout = 10 * time.Second
	readyPoll    = 100 * time.Millisecond
)

// Informed is a dispatcher.Source that follows an API server. Make one with
// Informers and Close it.
//
// A request that starts after a change was delivered never sees the state before
// it: what is delivered is numbered, and a snapshot that is behind is brought up
// to date before it is handed out. Usually a goroutine has done so already.
type Informed struct {
	compiler  *matching.Compiler
	synced    []cache.InformerSynced
	published func(*matching.Snapshot)
	// current is nil until the first snapshot was asked for.
	current atomic.Pointer[revision]
	// delivered numbers the changes that the informers have delivered.
	delivered atomic.Uint64

	// mu guards what the informers write. It is never held while compiling.
	mu      sync.Mutex
	pending map[identity][]*admission.Webhook // nil for a configuration that is gone

	// compiling guards what snapshots are made from.
	compiling            sync.Mutex
	mutating, validating map[string]configuration

	changed chan struct{} // holds one wake-up call for the goroutine
	stop    chan struct{}
	stopped sync.WaitGroup
	close   func()
}

// revision is a snapshot and the number of the last change that is in it.
type revision struct {
	delivered uint64
	snapshot  *matching.Snapshot
}

var _ dispatcher.Source = (*Informed)(nil)

// Informers returns a source that follows the informers. It fails when there is
// none, or when one has already stopped.
func Informers(w Watched) (*Informed, error) {
	s := &Informed{
		compiler:   matching.NewCompiler(),
		synced:     slices.Clone(w.Also),
		published:  w.Published,
		pending:    map[identity][]*admission.Webhook{},
		mutating:   map[string]configuration{},
		validating: map[string]configuration{},
		changed:    make(chan struct{}, 1),
		stop:       make(chan struct{}),
	}
	var undo []func()
	s.close = sync.OnceFunc(func() {
		for _, f := range undo {
			f()
		}
		close(s.stop)
		s.stopped.Wait()
	})
	if w.Mutating == nil && w.Validating == nil {
		return nil, errors.New("following webhook configurations: no informer is given")
	}
	for _, one := range []struct {
		kind     string
		informer func() cache.SharedIndexInformer
		given    bool
	}{
		{mutatingKind, func() cache.SharedIndexInformer { return w.Mutating.Informer() }, w.Mutating != nil},
		{validatingKind, func() cache.SharedIndexInformer { return w.Validating.Informer() }, w.Validating != nil},
	} {
		if !one.given {
			continue
		}
		informer := one.informer()
		registration, err := informer.AddEventHandler(s.handler(one.kind))
		if err != nil {
			s.close()
			return nil, fmt.Errorf("following %ss: %w", one.kind, err)
		}
		undo = append(undo, func() { _ = informer.RemoveEventHandler(registration) })
		// The registration's own answer says that the initial list has passed
		// through the handler, not just that it is in the cache (S-060).
		s.synced = append(s.synced, registration.HasSynced)
	}
	s.stopped.Go(s.keepUp)
	return s, nil
}

// Close stops following. It may be called more than once and returns when no
// goroutine is left. The source keeps answering with what it knew.
func (s *Informed) Close() { s.close() }

// Current returns the webhooks of the last change that was delivered. While the
// informers have not synced it waits for them, up to 10 seconds and no longer
// than ctx, and then returns dispatcher.ErrNotReady.
func (s *Informed) Current(ctx context.Context) (*matching.Snapshot, error) {
	// Once there is a snapshot the informers have synced.
	if r := s.current.Load(); r != nil {
		if r.delivered == s.delivered.Load() {
			return r.snapshot, nil
		}
		return s.catchUp(), nil
	}
	err := wait.PollUntilContextTimeout(ctx, readyPoll, readyTimeout, true, func(context.Context) (bool, error) {
		return s.hasSynced(), nil
	})
	if err != nil {
		return nil, dispatcher.ErrNotReady
	}
	return s.catchUp(), nil
}

func (s *Informed) hasSynced() bool {
	for _, synced := range s.synced {
		if !synced() {
			return false
		}
	}
	return true
}

// keepUp prepares the next snapshot before somebody waits for it, and tells
// about those that it or somebody else has made.
func (s *Informed) keepUp() {
	var told *matching.Snapshot
	for {
		select {
		case <-s.stop:
			return
		case <-s.changed:
			if !s.hasSynced() {
				continue
			}
			if snapshot := s.catchUp(); snapshot != told {
				told = snapshot
				s.tell(snapshot)
			}
		}
	}
}

// tell hands a snapshot to Published, whose panics end here: following the API
// server is more important than what is done with the news.
func (s *Informed) tell(snapshot *matching.Snapshot) {
	if s.published == nil {
		return
	}
	defer func() { _ = recover() }()
	s.published(snapshot)
}

// wake has the goroutine look for something to do.
func (s *Informed) wake() {
	select {
	case s.changed <- struct{}{}:
	default: // a wake-up call is waiting already
	}
}

// catchUp puts all that was delivered into a snapshot, compiling what is new.
func (s *Informed) catchUp() *matching.Snapshot {
	s.compiling.Lock()
	defer s.compiling.Unlock()
	changes, delivered := s.take()
	if r := s.current.Load(); r != nil && r.delivered == delivered {
		return r.snapshot
	}
	for id, declared := range changes {
		set := s.mutating
		if id.kind == validatingKind {
			set = s.validating
		}
		if declared == nil {
			delete(set, id.name)
			continue
		}
		set[id.name] = configuration{name: id.name, compiled: s.compiler.Compile(declared)}
	}
	snapshot := matching.NewSnapshot(sorted(s.mutating), sorted(s.validating))
	s.current.Store(&revision{delivered: delivered, snapshot: snapshot})
	// A request may have been faster than the goroutine, which is to tell.
	s.wake()
	return snapshot
}

// take returns the changes that are not in a snapshot yet, and the number of the
// last one.
func (s *Informed) take() (map[identity][]*admission.Webhook, uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changes := s.pending
	s.pending = map[identity][]*admission.Webhook{}
	return changes, s.delivered.Load()
}

// sorted returns the webhooks of a set by the name of the configuration (S-061).
func sorted(set map[string]configuration) []*matching.Webhook {
	var webhooks []*matching.Webhook
	for _, name := range slices.Sorted(maps.Keys(set)) {
		webhooks = append(webhooks, set[name].compiled...)
	}
	return webhooks
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

// note remembers a change and numbers it.
func (s *Informed) note(kind string, obj any, present bool) {
	name, declared := read(obj)
	if name == "" {
		return
	}
	if !present {
		declared = nil
	}
	s.mu.Lock()
	s.pending[identity{kind, name}] = declared
	s.delivered.Add(1)
	s.mu.Unlock()
	s.wake()
}

// read returns the name of a configuration and what it declares: never nil, also
// if it declares nothing. Of a configuration whose deletion was missed only the
// name counts.
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
