package source

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/matching"
)

// List is a dispatcher.Source that never changes. Fixed and Files make them.
type List struct {
	store *Store
}

var _ dispatcher.Source = (*List)(nil)

// Current returns the same snapshot every time, and never an error.
func (l *List) Current(ctx context.Context) (*matching.Snapshot, error) {
	return l.store.Current(ctx)
}

// Option changes how Fixed treats configurations.
type Option func(*options)

type options struct {
	undefaulted bool
}

// Undefaulted keeps configurations exactly as they are. An API server never
// serves such; a webhook whose selectors are absent, for one, is never called
// (S-068).
func Undefaulted() Option {
	return func(o *options) { o.undefaulted = true }
}

// Fixed returns a source of the given configurations, each of them a
// *MutatingWebhookConfiguration or *ValidatingWebhookConfiguration of
// admissionregistration.k8s.io/v1, in any order. It takes copies and applies
// the defaults of v1 to them, unless Undefaulted is among the options.
//
// It is an error, which names the position in the list counted from 1, if a
// configuration is nil or of another type, or if its name occurs twice within
// its kind. Nothing else is checked.
func Fixed(configs []runtime.Object, opts ...Option) (*List, error) {
	var o options
	for _, apply := range opts {
		apply(&o)
	}
	c := newCollection()
	for i, obj := range configs {
		place := fmt.Sprintf("configuration %d", i+1)
		if err := c.add(obj, place); err != nil {
			c.note(fmt.Errorf("%s: %w", place, err))
		}
	}
	if !o.undefaulted {
		c.applyDefaults()
	}
	return c.list()
}
