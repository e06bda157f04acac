package source

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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

	want(&s.set.mutating, mutating, admission.MutatingWebhooks)
	want(&s.set.validating, validating, admission.ValidatingWebhooks)
	snapshot, err := s.set.snapshot()
	if err != nil {
		panic(err)
	}
	s.current.Store(snapshot)
}

// want has a roster hold these configurations and no others. Those of equal name,
// which are a mistake of the caller, become one: a webhook that is called under a
// uid too many is better than one that is lost.
func want[C metav1.Object](r *roster, configurations []C, read func(C) []*admission.Webhook) {
	order := func(a, b C) int { return byName(a.GetName(), b.GetName()) }
	if !slices.IsSortedFunc(configurations, order) {
		configurations = slices.SortedStableFunc(slices.Values(configurations), order)
	}
	before := r.wanted
	r.renewed = true
	r.wanted = make([]*configuration, 0, len(configurations))
	for len(configurations) > 0 {
		name, n := configurations[0].GetName(), 1
		for n < len(configurations) && configurations[n].GetName() == name {
			n++
		}
		for len(before) > 0 && byName(before[0].name, name) < 0 {
			before = before[1:]
		}
		var known *configuration
		if len(before) > 0 && before[0].name == name {
			known = before[0]
		}
		r.wanted = append(r.wanted, renewed(known, configurations[:n], read))
		configurations = configurations[n:]
	}
}

// renewed returns a configuration of what some objects of one name declare: the one
// that is known, if that is what it has.
func renewed[C metav1.Object](known *configuration, objects []C, read func(C) []*admission.Webhook) *configuration {
	var origin metav1.Object
	if len(objects) == 1 {
		origin = objects[0]
		if known != nil && known.origin == origin {
			return known
		}
	}
	next := &configuration{name: objects[0].GetName(), origin: origin}
	for _, c := range objects {
		next.declared = append(next.declared, read(c)...)
	}
	if known != nil && reflect.DeepEqual(known.declared, next.declared) {
		known.origin = origin
		return known
	}
	return next
}
