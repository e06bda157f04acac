package informed

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/policy"
	"example.com/gatehouse/internal/engine/guard"
)

// readyTimeout is how long a request waits for a source, as in kube-apiserver.
const readyTimeout = 10 * time.Second

// Source follows informers of policies and bindings. See Follow.
type Source struct {
	params    policy.Params
	informers []cache.SharedIndexInformer
	handlers  []cache.ResourceEventHandlerRegistration
	// changes counts the changes that were delivered. An informer updates its
	// store before it calls handlers, so the stores have at least these.
	changes atomic.Int64
	changed chan struct{} // has capacity 1; wakes up run
	// current is what was compiled last. mu is held while compiling.
	current atomic.Pointer[compiled]
	mu      sync.Mutex

	start sync.Once // of run
	// ready is closed by run when the informers have synced. Do not ask the handlers
	// instead: one that was removed may report that it has synced, although it has not
	// received the initial list.
	ready chan struct{}
	stop  <-chan struct{}
}

// compiled is a set, and the number of changes that it has at least.
type compiled struct {
	set     *policy.Set
	changes int64
}

var _ policy.Source = (*Source)(nil)

// Follow returns a source of the policies and bindings of informers, whose
// objects are those that policy.NewSet takes. It fails if an informer has
// stopped. The caller starts the informers. If params is a *Params, do not
// share it between sources: the source stops informers that no policy needs any
// more.
//
// The source follows them until stop is closed. It then keeps its last policies;
// one that was not ready never will be.
func Follow(
	params policy.Params, stop <-chan struct{}, informers ...cache.SharedIndexInformer,
) (*Source, error) {
	empty, err := policy.NewSet(params)
	if err != nil {
		return nil, err
	}
	s := &Source{
		params: params, informers: informers, changed: make(chan struct{}, 1),
		ready: make(chan struct{}), stop: stop,
	}
	s.current.Store(&compiled{set: empty, changes: -1})
	for _, informer := range informers {
		handler, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc: func(any) { s.change() },
			UpdateFunc: func(old, new any) {
				if old != new { // a resync delivers what has not changed
					s.change()
				}
			},
			DeleteFunc: func(any) { s.change() },
		})
		if err != nil {
			s.unfollow()
			return nil, fmt.Errorf("following policies: %w", err)
		}
		s.handlers = append(s.handlers, handler)
	}
	return s, nil
}

// begin starts run with the first change or request, so that a server whose start fails has
// no goroutine of the source.
func (s *Source) begin() { s.start.Do(func() { go s.run() }) }

func (s *Source) unfollow() {
	for i, handler := range s.handlers {
		_ = s.informers[i].RemoveEventHandler(handler)
	}
}

// change notes a change and wakes up run.
func (s *Source) change() {
	s.begin()
	s.changes.Add(1)
	select {
	case s.changed <- struct{}{}:
	default: // run has a signal to receive already
	}
}

// run compiles the policies when the informers have synced, and after each
// change, so that only requests that arrive meanwhile wait for it.
func (s *Source) run() {
	defer s.unfollow()
	if !s.awaitSync() {
		return
	}
	close(s.ready)
	for {
		_, _ = s.compile() // a request gets the error
		select {
		case <-s.changed:
		case <-s.stop:
			return
		}
	}
}

// awaitSync waits until the handlers have received the initial lists. It returns
// false if stop is closed first.
func (s *Source) awaitSync() bool {
	select {
	case <-s.stop:
		return false
	default:
	}
	for _, handler := range s.handlers {
		select {
		case <-handler.HasSyncedChecker().Done():
		case <-s.stop:
			return false
		}
	}
	return true
}

// Current returns the policies with all changes that have been delivered. Until
// the informers have synced, it waits up to 10 seconds. While a change is compiled,
// it waits for that. It waits no longer than ctx, and then returns
// dispatcher.ErrNotReady. A panic of the compiler is an error.
func (s *Source) Current(ctx context.Context) (*policy.Set, error) {
	if last := s.current.Load(); last.changes == s.changes.Load() {
		return last.set, nil
	}
	s.begin()
	if !s.awaitReady(ctx) {
		return nil, dispatcher.ErrNotReady
	}
	return guard.Within(ctx, s.compile, dispatcher.ErrNotReady)
}

// awaitReady waits until the source is ready, and reports whether it is. It gives
// up after readyTimeout, when ctx ends or when stop is closed.
func (s *Source) awaitReady(ctx context.Context) bool {
	timeout := time.NewTimer(readyTimeout)
	defer timeout.Stop()
	select {
	case <-s.ready:
	case <-s.stop:
	case <-ctx.Done():
	case <-timeout.C:
	}
	// If several cases of the select above can proceed, it chooses at random.
	select {
	case <-s.ready:
		return true
	default:
		return false
	}
}

// compile compiles the policies that have changed.
func (s *Source) compile() (set *policy.Set, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last, changes := s.current.Load(), s.changes.Load()
	if last.changes == changes {
		return last.set, nil
	}
	var objects []apiruntime.Object
	for _, informer := range s.informers {
		for _, o := range informer.GetStore().List() {
			objects = append(objects, o.(apiruntime.Object))
		}
	}
	err = guard.Call(func() error {
		set, err = last.set.With(objects...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("compiling policies: %w", err)
	}
	s.current.Store(&compiled{set, changes})
	if p, ok := s.params.(*Params); ok {
		p.retain(set.ParamKinds())
	}
	return set, nil
}
