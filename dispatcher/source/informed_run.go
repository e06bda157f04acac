package source

import (
	"time"

	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/matching"
)

// run is the goroutine of an Informed source. It compiles the configurations
// when everything has synced, and then each change, so that only requests that
// arrive meanwhile wait for it. It calls Published for the snapshots that it or a
// request has compiled.
func (s *Informed) run() {
	if !s.awaitSync() {
		return
	}
	// Compile before ready is closed, so that a waiting request can still be
	// canceled meanwhile. If compiling fails, Current returns the error.
	_, _ = s.compilePending()
	close(s.ready)
	// Publish the first snapshot even if no configuration was delivered.
	s.signal()
	var notified *matching.Snapshot
	for {
		select {
		case <-s.stop:
			return
		case <-s.changed:
			if snapshot, err := s.compilePending(); err == nil && snapshot != notified {
				notified = snapshot
				s.notify(snapshot)
			}
		}
	}
}

// awaitSync waits until everything has synced. It returns false if the source
// is closed first. It waits for the registrations of the handlers, because an
// initial list has synced only after its last event was handled and an empty
// list delivers no event. It polls the conditions of Watched.Also.
func (s *Informed) awaitSync() bool {
	for _, delivered := range s.handlersSynced {
		select {
		case <-delivered:
		case <-s.stop:
			return false
		}
	}
	poll := time.NewTicker(readyPoll)
	defer poll.Stop()
	for !s.alsoSynced() {
		select {
		case <-poll.C:
		case <-s.stop:
			return false
		}
	}
	return true
}

// hasSynced reports whether awaitSync would return at once.
func (s *Informed) hasSynced() bool {
	for _, delivered := range s.handlersSynced {
		select {
		case <-delivered:
		default:
			return false
		}
	}
	return s.alsoSynced()
}

func (s *Informed) alsoSynced() bool {
	for _, synced := range s.also {
		if !synced() {
			return false
		}
	}
	return true
}

// notify calls Published and recovers its panics, so that the source continues to
// follow the API server.
func (s *Informed) notify(snapshot *matching.Snapshot) {
	if s.published != nil {
		_ = guard.Do(func() { s.published(snapshot) })
	}
}

// signal wakes up run.
func (s *Informed) signal() {
	select {
	case s.changed <- struct{}{}:
	default: // run has a signal to receive already
	}
}
