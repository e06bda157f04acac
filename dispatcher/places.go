package dispatcher

import (
	"context"
	"runtime"
	"sync"

	"example.com/gatehouse/admission"
)

// places are for work that somebody may stop waiting for: what is left behind has one
// until it has come to its end. Each webhook has a few of its own, so that it waits for
// nothing but what it has left behind itself. How much that is in all is the number of
// webhooks times theirs, for each Dispatcher; a plugin has two.
type places struct {
	each int

	mu sync.Mutex
	// rooms are those that somebody is in, or waits to be.
	rooms map[owner]*room
}

// owner is a webhook, whichever revision of it.
type owner struct {
	phase admission.Phase
	uid   string
}

// room has the places of a webhook.
type room struct {
	taken chan struct{}
	// users have a place or wait for one. They are counted under the lock of places.
	users int
}

// newPlaces returns places for twice as much work of each webhook as there are
// processors: it computes, but for what a host's defaulter may do.
func newPlaces() *places { return placesFor(2 * runtime.GOMAXPROCS(0)) }

func placesFor(each int) *places { return &places{each: each, rooms: map[owner]*room{}} }

// enter returns the room of a webhook, which everybody who enters has to leave.
func (p *places) enter(o owner) *room {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.rooms[o]
	if r == nil {
		r = &room{taken: make(chan struct{}, p.each)}
		p.rooms[o] = r
	}
	r.users++
	return r
}

// leave forgets the room when nobody is in it any longer.
func (p *places) leave(o owner, r *room) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.users--; r.users == 0 {
		delete(p.rooms, o)
	}
}

// take waits for a place, and reports whether there was one in time.
func (r *room) take(ctx context.Context) bool {
	select {
	case r.taken <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	if ctx.Err() != nil { // Both were so, and one was chosen by chance.
		r.release()
		return false
	}
	return true
}

// release gives a place back.
func (r *room) release() { <-r.taken }
