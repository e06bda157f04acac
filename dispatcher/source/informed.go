package source

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	registrationlisters "k8s.io/client-go/listers/admissionregistration/v1"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/matching"
)

// Watched are the informers that an Informed source follows. The caller starts
// them.
type Watched struct {
	// Mutating and Validating deliver the configurations. At least one is
	// required. A phase without an informer has no webhooks.
	Mutating   MutatingInformer
	Validating ValidatingInformer
	// Also are further conditions for the source to be ready, such as HasSynced
	// of the informer of namespaces. The goroutine of the source polls them
	// every 100 ms until all of them return true.
	Also []cache.InformerSynced
	// Published is called with each new snapshot, in order, after requests can
	// get it. Of several snapshots in quick succession it may receive only the
	// last. The first call comes when the source is ready. Calls come from the
	// goroutine of the source; Published may block, but must not call Close,
	// which waits for it. The source recovers its panics. Optional.
	Published func(*matching.Snapshot)
}

// MutatingInformer has the methods of client-go's
// MutatingWebhookConfigurationInformer, and ValidatingInformer those of its
// ValidatingWebhookConfigurationInformer. This package does not import them,
// because they link the clients of all groups.
type (
	MutatingInformer interface {
		Informer() cache.SharedIndexInformer
		Lister() registrationlisters.MutatingWebhookConfigurationLister
	}
	ValidatingInformer interface {
		Informer() cache.SharedIndexInformer
		Lister() registrationlisters.ValidatingWebhookConfigurationLister
	}
)

// readyTimeout bounds how long a request waits for a source that has not synced
// (S-005); readyPoll is the interval at which the source polls Watched.Also.
const (
	readyTimeout = 10 * time.Second
	readyPoll    = 100 * time.Millisecond
)

// Informed is a dispatcher.Source that follows an API server. Use Informers to
// create one, and Close it.
//
// A request that starts after a change was delivered never gets the state
// before the change: Current compiles delivered changes before it returns,
// unless the goroutine of the source has already done so. A request whose context
// ends first gets dispatcher.ErrNotReady, and compiling goes on.
//
// Current compiles what the stores of the informers hold, not what the handler was
// given: after a new list, client-go delivers deletions first, so that a
// configuration that was renamed would be missing for a moment. client-go replaces
// the store at once (its feature gate AtomicFIFO, which is on by default).
type Informed struct {
	// handlersSynced are closed when the initial lists have been delivered;
	// also are the conditions of Watched.Also.
	handlersSynced []<-chan struct{}
	also           []cache.InformerSynced
	published      func(*matching.Snapshot)
	// followed are the informers by the kind of their objects.
	followed map[string]cache.SharedIndexInformer

	pending pendingChanges
	// builderMu guards builder. No informer ever waits for it.
	builderMu sync.Mutex
	builder   *snapshotBuilder

	// ready is closed by run when everything has synced and has been compiled.
	ready          chan struct{}
	changed        chan struct{} // has capacity 1; wakes up run
	stop           chan struct{}
	running        sync.WaitGroup
	removeHandlers []func() // one for each informer
	close          func()   // shutDown, once
}

var _ dispatcher.Source = (*Informed)(nil)

// Informers returns a source that follows the informers. It fails if w has no
// informer, or if one has already stopped.
//
// If an informer stops later, the source keeps the configurations that it
// delivered. If the informer stops before its whole initial list is delivered,
// the source is never ready.
func Informers(w Watched) (*Informed, error) {
	if w.Mutating == nil && w.Validating == nil {
		return nil, errors.New("following webhook configurations: no informer is given")
	}
	s := &Informed{
		also:      slices.Clone(w.Also),
		published: w.Published,
		followed:  map[string]cache.SharedIndexInformer{},
		builder:   newSnapshotBuilder(),
		ready:     make(chan struct{}),
		changed:   make(chan struct{}, 1),
		stop:      make(chan struct{}),
	}
	s.close = sync.OnceFunc(s.shutDown)
	if w.Mutating != nil {
		if err := s.follow(mutatingKind, w.Mutating.Informer()); err != nil {
			return nil, err
		}
	}
	if w.Validating != nil {
		if err := s.follow(validatingKind, w.Validating.Informer()); err != nil {
			return nil, err
		}
	}
	s.running.Go(s.run)
	return s, nil
}

// follow adds a handler to an informer. If it fails, it closes the source.
func (s *Informed) follow(kind string, informer cache.SharedIndexInformer) error {
	registration, err := informer.AddEventHandler(s.handler())
	if err != nil {
		s.close()
		return fmt.Errorf("following %ss: %w", kind, err)
	}
	s.followed[kind] = informer
	s.removeHandlers = append(s.removeHandlers,
		func() { _ = informer.RemoveEventHandler(registration) })
	// The registration has synced when the handler has received the initial
	// list; the informer has synced earlier, when the list is in the cache
	// (S-060).
	s.handlersSynced = append(s.handlersSynced, registration.HasSyncedChecker().Done())
	return nil
}

// Close stops following the informers and returns when the goroutine of the
// source has ended. It may be called at any time and more than once. A source
// that was ready keeps its last snapshot. A source that was not ready never
// will be, and requests stop waiting for it.
func (s *Informed) Close() { s.close() }

func (s *Informed) shutDown() {
	close(s.stop)
	s.running.Wait()
	// The goroutine must have ended: a handler that is removed may report that
	// it has synced although it has not received the initial list.
	for _, f := range s.removeHandlers {
		f()
	}
}

// Current returns a snapshot with all changes that have been delivered. While
// the source is not ready, Current waits up to 10 seconds. While a change is
// compiled, it waits for that. It waits no longer than ctx, and then returns
// dispatcher.ErrNotReady.
//
// If compiling a configuration panics, Current returns an error that names the
// configuration and wraps an *admission.PanicError, on every call until the
// configuration changes or compiles. It returns neither the snapshot before nor
// one without the configuration.
func (s *Informed) Current(ctx context.Context) (*matching.Snapshot, error) {
	if snapshot := s.pending.current.Load(); snapshot != nil {
		return snapshot, nil
	}
	if !s.awaitReady(ctx) {
		return nil, dispatcher.ErrNotReady
	}
	return guard.Within(ctx, s.compilePending, dispatcher.ErrNotReady)
}

// awaitReady waits until the source is ready, and reports whether it is. It
// gives up after readyTimeout, when ctx ends or when the source is closed.
func (s *Informed) awaitReady(ctx context.Context) bool {
	timeout := time.NewTimer(readyTimeout)
	defer timeout.Stop()
	select {
	case <-s.ready:
	case <-s.stop:
	case <-ctx.Done():
	case <-timeout.C:
	}
	// Check this before s.stop: a handler that Close has removed may report
	// that it has synced.
	synced := s.hasSynced()
	// The select above chooses at random among several ready cases. A source
	// that is ready wins over a timeout (S-005). If everything has synced and
	// is not compiled yet, the request compiles it.
	select {
	case <-s.ready:
		return true
	case <-s.stop:
		return false
	default:
		return synced
	}
}

// compilePending returns a snapshot with all changes that were delivered before
// the call.
func (s *Informed) compilePending() (*matching.Snapshot, error) {
	s.builderMu.Lock()
	defer s.builderMu.Unlock()
	if s.pending.take() {
		for kind, informer := range s.followed {
			s.builder.setFor(kind).read(informer.GetStore().List())
		}
	}
	snapshot, err := s.builder.snapshot()
	if err != nil {
		return nil, err
	}
	s.pending.publish(snapshot)
	return snapshot, nil
}
