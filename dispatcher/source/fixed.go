package source

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/matching"
)

// List is a dispatcher.Source that never changes. Use Fixed or Files to create
// one.
type List struct {
	store *Store
}

var _ dispatcher.Source = (*List)(nil)

// Current returns the same snapshot on every call. It never fails.
func (l *List) Current(ctx context.Context) (*matching.Snapshot, error) {
	return l.store.Current(ctx)
}

// Option changes how Fixed treats configurations.
type Option func(*options)

type options struct {
	undefaulted bool
}

// Undefaulted keeps configurations exactly as they are, which is useful in
// tests. An API server never serves configurations without defaults: a webhook
// without selectors, for example, is never called (S-068).
func Undefaulted() Option {
	return func(o *options) { o.undefaulted = true }
}

// Fixed returns a source of the given configurations, each a
// *MutatingWebhookConfiguration or *ValidatingWebhookConfiguration of
// admissionregistration.k8s.io/v1, in any order. It copies them and applies the
// defaults of v1 to the copies, unless Undefaulted is among the options.
//
// It fails if a configuration is nil or has another type, or if a name occurs
// twice within its kind. The error names the positions in the list, counted
// from 1. Nothing else is validated.
func Fixed(configs []runtime.Object, opts ...Option) (*List, error) {
	var o options
	for _, apply := range opts {
		apply(&o)
	}
	c := newCollection()
	for i, obj := range configs {
		location := fmt.Sprintf("configuration %d", i+1)
		if err := c.add(obj, location); err != nil {
			c.problems = append(c.problems, fmt.Errorf("%s: %w", location, err))
		}
	}
	if !o.undefaulted {
		c.applyDefaults()
	}
	return c.list()
}
