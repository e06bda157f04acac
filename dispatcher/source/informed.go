package source

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	registrationinformers "k8s.io/client-go/informers/admissionregistration/v1"
	"k8s.io/client-go/tools/cache"

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
	// namespaces having synced. One goroutine of the source asks them, every
	// 100 ms, until all have been true.
	Also []cache.InformerSynced
	// Published is told about new snapshots after requests can see them, in
	// order, by one goroutine of the source; of several in quick succession
	// maybe only about the last. The first one comes as soon as the source is
	// ready. It may take its time, but must not close the source, which waits
	// for it. A panic in it is contained. By default nobody is told.
	Published func(*matching.Snapshot)
}

// How long a request waits for a source that has not synced, and how often the
// source looks at what it can only poll (S-005).
const (
	readyTimeout = 10 * time.Second
	readyPoll    = 100 * time.Millisecond
)

// Informed is a dispatcher.Source that follows an API server. Make one with
// Informers and Close it.
//
// A request that starts after a change was delivered never sees the state before
// it: a snapshot that is behind is brought up to date before it is handed out.
// Usually a goroutine has done so already.
type Informed struct {
	// registered are closed when the initial lists have been delivered, also
	// are what else there is to wait for.
	registered []<-chan struct{}
	also       []cache.InformerSynced
	published  func(*matching.Snapshot)

	notes notes
	// compiling guards the set. No informer ever waits for it.
	compiling sync.Mutex
	set       *configurations

	// ready is closed by the goroutine when everything has synced and has been
	// compiled, and never otherwise.
	ready   chan struct{}
	changed chan struct{} // holds one wake-up call for the goroutine
	stop    chan struct{}
	stopped sync.WaitGroup
	undo    []func() // takes the handlers back
	close   func()   // closeOnce, once
}

var _ dispatcher.Source = (*Informed)(nil)

// Informers returns a source that follows the informers. It fails when there is
// none, or when one has already stopped.
//
// An informer that stops later leaves the source with what it delivered: if that
// was not its whole initial list the source is never ready.
func Informers(w Watched) (*Informed, error) {
	if w.Mutating == nil && w.Validating == nil {
		return nil, errors.New("following webhook configurations: no informer is given")
	}
	s := &Informed{
		also:      slices.Clone(w.Also),
		published: w.Published,
		set:       newConfigurations(),
		ready:     make(chan struct{}),
		changed:   make(chan struct{}, 1),
		stop:      make(chan struct{}),
	}
	s.close = sync.OnceFunc(s.closeOnce)
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
	s.stopped.Go(s.keepUp)
	return s, nil
}

// follow has an informer deliver to the source, or closes the source.
func (s *Informed) follow(kind string, informer cache.SharedIndexInformer) error {
	registration, err := informer.AddEventHandler(s.handler(kind))
	if err != nil {
		s.close()
		return fmt.Errorf("following %ss: %w", kind, err)
	}
	s.undo = append(s.undo, func() { _ = informer.RemoveEventHandler(registration) })
	// The registration's own answer says that the initial list has passed through
	// the handler, not just that it is in the cache (S-060).
	s.registered = append(s.registered, registration.HasSyncedChecker().Done())
	return nil
}

// Close stops following. It may be called more than once and at any time, and
// returns when no goroutine is left. The source keeps answering with what it
// knew; if it was not ready it never will be, and requests stop waiting for it.
func (s *Informed) Close() { s.close() }

func (s *Informed) closeOnce() {
	close(s.stop)
	s.stopped.Wait()
	// Only now: the goroutine must not take an informer that goes on without the
	// source for one that has delivered to it.
	for _, f := range s.undo {
		f()
	}
}

// Current returns the webhooks of the last change that was delivered. While the
// source is not ready it waits, up to 10 seconds and no longer than ctx, and
// then returns dispatcher.ErrNotReady.
//
// If compiling a configuration panicked it returns an error that names the
// configuration and wraps an *admission.PanicError, until that configuration
// changes or compiles: neither the state before nor a part of the new one.
func (s *Informed) Current(ctx context.Context) (*matching.Snapshot, error) {
	if snapshot := s.notes.current.Load(); snapshot != nil {
		return snapshot, nil
	}
	if !s.awaitReady(ctx) {
		return nil, dispatcher.ErrNotReady
	}
	return s.catchUp()
}

// awaitReady reports whether the source is ready, or has become so while there
// was time to wait.
func (s *Informed) awaitReady(ctx context.Context) bool {
	timeout := time.NewTimer(readyTimeout)
	defer timeout.Stop()
	select {
	case <-s.ready:
	case <-s.stop:
	case <-ctx.Done():
	case <-timeout.C:
	}
	// Asked before stop is: an informer may call itself synced to a handler that
	// Close has removed.
	synced := s.hasSynced()
	// A select with several ways to go takes any of them, and being ready is
	// worth more than being late (S-005). What has synced and is not compiled yet
	// the request compiles itself.
	select {
	case <-s.ready:
		return true
	case <-s.stop:
		return false
	default:
		return synced
	}
}

// catchUp returns a snapshot of all that has been delivered when it is called.
func (s *Informed) catchUp() (*matching.Snapshot, error) {
	s.compiling.Lock()
	defer s.compiling.Unlock()
	for id, declared := range s.notes.take() {
		if declared == nil {
			s.set.of(id.kind).remove(id.name)
		} else {
			s.set.of(id.kind).put(id.name, declared)
		}
	}
	snapshot, err := s.set.snapshot()
	if err != nil {
		return nil, err
	}
	s.notes.settle(snapshot)
	return snapshot, nil
}
