package source

import (
	"cmp"
	"context"
	"reflect"
	"slices"
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
	writing              sync.Mutex
	compiler             *matching.Compiler
	mutating, validating []configuration
}

var _ dispatcher.Source = (*Store)(nil)

// NewStore returns a store that holds nothing and is not ready: until its first
// Set it would be wrong to say that there are no webhooks.
func NewStore() *Store {
	return &Store{compiler: matching.NewCompiler()}
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
// renewed list or a new annotation costs nothing. Comparing resource versions
// would be cheaper and wrong for configurations that no API server has seen.
func (s *Store) Set(
	mutating []*registrationv1.MutatingWebhookConfiguration,
	validating []*registrationv1.ValidatingWebhookConfiguration,
) {
	s.writing.Lock()
	defer s.writing.Unlock()

	s.mutating = compile(s.compiler, declare(mutating, admission.MutatingWebhooks), s.mutating)
	s.validating = compile(s.compiler, declare(validating, admission.ValidatingWebhooks), s.validating)
	s.current.Store(matching.NewSnapshot(inOrder(s.mutating), inOrder(s.validating)))
}

// configuration is what the store remembers of a configuration of either kind.
type configuration struct {
	name     string
	declared []*admission.Webhook
	compiled []*matching.Webhook
}

// declare reduces configurations of either kind to what they declare, sorted by
// name. The sort compares bytes, as upstream's does (S-061).
func declare[C interface{ GetName() string }](configs []C, webhooksOf func(C) []*admission.Webhook) []configuration {
	declared := make([]configuration, len(configs))
	for i, c := range configs {
		declared[i] = configuration{name: c.GetName(), declared: webhooksOf(c)}
	}
	slices.SortStableFunc(declared, func(a, b configuration) int { return cmp.Compare(a.name, b.name) })
	return declared
}

// compile fills in the compiled webhooks of configs, in place, and takes them
// from before where nothing has changed.
func compile(compiler *matching.Compiler, configs, before []configuration) []configuration {
	known := make(map[string]configuration, len(before))
	for _, c := range before {
		known[c.name] = c
	}
	for i := range configs {
		c := &configs[i]
		if old, ok := known[c.name]; ok && reflect.DeepEqual(old.declared, c.declared) {
			c.compiled = old.compiled
			continue
		}
		c.compiled = compiler.Compile(c.declared)
	}
	return configs
}

// inOrder returns the webhooks of all configurations in a slice of its own,
// because a snapshot owns the slice that it is given.
func inOrder(configs []configuration) []*matching.Webhook {
	var webhooks []*matching.Webhook
	for _, c := range configs {
		webhooks = append(webhooks, c.compiled...)
	}
	return webhooks
}
