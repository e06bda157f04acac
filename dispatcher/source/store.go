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
// are served. Use NewStore to create one.
type Store struct {
	// current is nil until the first Set.
	current atomic.Pointer[matching.Snapshot]

	// builderMu serializes calls of Set and guards builder. Readers never take
	// it.
	builderMu sync.Mutex
	builder   *snapshotBuilder
}

var _ dispatcher.Source = (*Store)(nil)

// NewStore returns an empty store, which is not ready until the first Set. An
// empty store does not mean that there are no webhooks.
func NewStore() *Store {
	return &Store{builder: newSnapshotBuilder()}
}

// Current returns the snapshot of the last Set. Before the first Set it returns
// dispatcher.ErrNotReady without waiting.
func (s *Store) Current(context.Context) (*matching.Snapshot, error) {
	if snapshot := s.current.Load(); snapshot != nil {
		return snapshot, nil
	}
	return nil, dispatcher.ErrNotReady
}

// Set replaces all configurations. Requests in flight keep their snapshot.
//
// Configurations may come in any order; Set sorts them by name (S-061). Names
// must be unique within a kind, or webhooks share their uids (S-062). Set
// applies no defaults. The store keeps the configurations, but not the slices.
// The caller must not modify the configurations after the call, not even to
// pass them to Set again.
//
// A configuration whose webhooks are the same as in the last Set keeps its
// compiled webhooks, even if it is another object. If no configuration has
// changed and none was removed, the snapshot stays the same.
//
// If compiling panics, so does Set, and the snapshot before stays in force.
func (s *Store) Set(
	mutating []*registrationv1.MutatingWebhookConfiguration,
	validating []*registrationv1.ValidatingWebhookConfiguration,
) {
	s.builderMu.Lock()
	defer s.builderMu.Unlock()

	setDesired(&s.builder.mutating, mutating, admission.MutatingWebhooks)
	setDesired(&s.builder.validating, validating, admission.ValidatingWebhooks)
	snapshot, err := s.builder.snapshot()
	if err != nil {
		panic(err)
	}
	s.current.Store(snapshot)
}

// setDesired replaces the desired configurations of a set. Configurations of
// the same name, which are a mistake of the caller, are joined: two webhooks
// that share a uid are better than a webhook that is not called.
func setDesired[C metav1.Object](
	r *configurationSet, configurations []C, read func(C) []*admission.Webhook,
) {
	order := func(a, b C) int { return compareNames(a.GetName(), b.GetName()) }
	if !slices.IsSortedFunc(configurations, order) {
		configurations = slices.SortedStableFunc(slices.Values(configurations), order)
	}
	before := r.desired
	r.desired = make([]*configuration, 0, len(configurations))
	for len(configurations) > 0 {
		name, n := configurations[0].GetName(), 1
		for n < len(configurations) && configurations[n].GetName() == name {
			n++
		}
		for len(before) > 0 && compareNames(before[0].name, name) < 0 {
			before = before[1:]
		}
		var known *configuration
		if len(before) > 0 && before[0].name == name {
			known = before[0]
		}
		r.desired = append(r.desired, reuseOrRead(known, configurations[:n], read))
		configurations = configurations[n:]
	}
}

// reuseOrRead returns the configuration that objects of one name declare. It
// returns known if that declares the same webhooks.
func reuseOrRead[C metav1.Object](
	known *configuration, objects []C, read func(C) []*admission.Webhook,
) *configuration {
	var origin any
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
