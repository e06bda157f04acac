package dispatcher

import (
	"context"
	"runtime"
	"sync"

	"example.com/gatehouse/admission"
)

// detachedLimiter bounds, per webhook, the goroutines that may outlive the
// deadline of their call. A webhook waits only for slots that its own abandoned
// work holds. In all there are at most slots goroutines for each webhook of a
// Dispatcher.
type detachedLimiter struct {
	slots int

	mu sync.Mutex
	// webhooks are those that have a slot or wait for one.
	webhooks map[webhookKey]*webhookSlots
}

// webhookKey identifies a webhook in all of its revisions.
type webhookKey struct {
	phase admission.Phase
	uid   string
}

// webhookSlots are the slots of one webhook.
type webhookSlots struct {
	taken chan struct{}
	// users is the number of tasks that have a slot or wait for one. Guarded by
	// detachedLimiter.mu.
	users int
}

// newDetachedLimiter returns a limiter with twice as many slots for a webhook
// as there are processors: the work computes, unless the embedder's creater waits.
func newDetachedLimiter() *detachedLimiter { return limiterWith(2 * runtime.GOMAXPROCS(0)) }

func limiterWith(slots int) *detachedLimiter {
	return &detachedLimiter{slots: slots, webhooks: map[webhookKey]*webhookSlots{}}
}

// acquire waits for a slot of a webhook until ctx ends. The caller calls
// release once.
func (l *detachedLimiter) acquire(ctx context.Context, w webhookKey) (release func(), ok bool) {
	s := l.join(w)
	select {
	case s.taken <- struct{}{}:
	case <-ctx.Done():
		l.leave(w, s)
		return nil, false
	}
	release = func() {
		<-s.taken
		l.leave(w, s)
	}
	if ctx.Err() != nil { // select chooses at random if both can proceed
		release()
		return nil, false
	}
	return release, true
}

// join returns the slots of a webhook and counts the caller as a user.
func (l *detachedLimiter) join(w webhookKey) *webhookSlots {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.webhooks[w]
	if s == nil {
		s = &webhookSlots{taken: make(chan struct{}, l.slots)}
		l.webhooks[w] = s
	}
	s.users++
	return s
}

// leave undoes join. Slots without users are deleted.
func (l *detachedLimiter) leave(w webhookKey, s *webhookSlots) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.users--; s.users == 0 {
		delete(l.webhooks, w)
	}
}
