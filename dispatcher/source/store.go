package source

import (
	"context"
	"sync"
	"sync/atomic"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/matching"
)

// Store is a dispatcher.Source whose webhooks can be replaced while requests
// are served. Make one with NewStore.
type Store struct {
	// current is nil until the first Set.
	current atomic.Pointer[matching.Snapshot]

	// writing orders the callers of Set and guards what only they use. Readers
	// never take it.
	writing sync.Mutex
	set     *configurations
}

var _ dispatcher.Source = (*Store)(nil)

// NewStore returns a store that holds nothing and is not ready: until its first
// Set it would be wrong to say that there are no webhooks.
func NewStore() *Store {
	return &Store{set: newConfigurations()}
}

// Current returns what the last call of Set published. Before the first one it
// returns dispatcher.ErrNotReady at once; whoever fills a store late decides
// how long its readers wait.
func (s *Store) Current(context.Context) (*matching.Snapshot, error) {
	if snapshot := s.current.Load(); snapshot != nil {
		return snapshot, nil
	}
	return nil, dispatcher.ErrNotReady
}

// Set replaces the whole set of configurations. Requests that are on their way
// keep the snapshot that they have.
//
// Configurations may come in any order; they are sorted by name (S-061). Their
// names must be unique within a kind, or webhooks would share their uids
// (S-062). No defaults are applied. The slices stay the caller's, but the
// configurations themselves are kept and read from then on: they must not be
// modified any more, not even to pass them to Set again.
//
// A configuration that declares what the one of the same name declared the last
// time keeps its compiled webhooks, even if it is another object, so that a
// renewed list or a new annotation costs nothing. If that is true of all of them
// and none is gone, the snapshot stays the same.
//
// Should compiling panic, so does Set, and what was in force stays in force.
func (s *Store) Set(
	mutating []*registrationv1.MutatingWebhookConfiguration,
	validating []*registrationv1.ValidatingWebhookConfiguration,
) {
	s.writing.Lock()
	defer s.writing.Unlock()

	wanted := declaration{}
	for _, m := range mutating {
		wanted.add(identity{mutatingKind, m.Name}, admission.MutatingWebhooks(m))
	}
	for _, v := range validating {
		wanted.add(identity{validatingKind, v.Name}, admission.ValidatingWebhooks(v))
	}
	wanted.replace(s.set)
	snapshot, err := s.set.snapshot()
	if err != nil {
		panic(err)
	}
	s.current.Store(snapshot)
}

// declaration is a whole set of configurations, before it is compiled.
type declaration map[identity][]*admission.Webhook

// add adds a configuration. One whose name is taken, which is a mistake of the
// caller, adds to the other: a webhook that is called under a uid too many is
// better than one that is lost.
func (d declaration) add(id identity, webhooks []*admission.Webhook) {
	d[id] = append(d[id], webhooks...)
}

// replace makes a set hold this and nothing else.
func (d declaration) replace(set *configurations) {
	for id := range set.known {
		if _, wanted := d[id]; !wanted {
			set.remove(id)
		}
	}
	for id, webhooks := range d {
		set.put(id, webhooks)
	}
}
