package source

import (
	"time"

	"example.com/gatehouse/matching"
)

// keepUp is the goroutine of an Informed source. It compiles what there is when
// everything has synced, then each change before somebody waits for it, and tells
// about the snapshots that it or a request has made.
func (s *Informed) keepUp() {
	if !s.awaitSync() {
		return
	}
	// Compiled before anybody is let in, so that those who wait can still be
	// called back. If it fails they shall hear of it themselves.
	_, _ = s.catchUp()
	close(s.ready)
	// The first snapshot is news, even if nothing was delivered.
	s.wake()
	var told *matching.Snapshot
	for {
		select {
		case <-s.stop:
			return
		case <-s.changed:
			if snapshot, err := s.catchUp(); err == nil && snapshot != told {
				told = snapshot
				s.tell(snapshot)
			}
		}
	}
}

// awaitSync returns when everything has synced, or false when the source is
// closed. An event is no sign of it: an initial list has synced only after its
// last event was handled, and an empty one comes without any. The informers
// themselves are waited for, what else there is has to be polled.
func (s *Informed) awaitSync() bool {
	for _, delivered := range s.registered {
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
	for _, delivered := range s.registered {
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
