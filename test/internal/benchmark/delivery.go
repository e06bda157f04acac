package main

import (
	"context"
	"errors"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	registrationinformers "k8s.io/client-go/informers/admissionregistration/v1"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/matching"
)

// delivery is an informer that delivers on command, so that the end of a
// delivery is known. It has the methods that source.Informers needs.
type delivery struct {
	cache.SharedIndexInformer
	registrationinformers.ValidatingWebhookConfigurationInformer
	configurations []*registrationv1.ValidatingWebhookConfiguration
	store          cache.Store
	handler        cache.ResourceEventHandler
}

// Informer implements
// registrationinformers.ValidatingWebhookConfigurationInformer.
func (d *delivery) Informer() cache.SharedIndexInformer { return d }

// GetStore implements cache.SharedInformer.
func (d *delivery) GetStore() cache.Store { return d.store }

// AddEventHandler implements cache.SharedInformer.
func (d *delivery) AddEventHandler(
	h cache.ResourceEventHandler,
) (cache.ResourceEventHandlerRegistration, error) {
	d.handler = h
	for _, c := range d.configurations {
		h.OnAdd(c, true)
	}
	return delivered{}, nil
}

// RemoveEventHandler implements cache.SharedInformer.
func (*delivery) RemoveEventHandler(cache.ResourceEventHandlerRegistration) error { return nil }

// delivered is the Registration of handlers that are always synced.
type delivered struct{}

// HasSynced implements cache.ResourceEventHandlerRegistration.
func (delivered) HasSynced() bool { return true }

// HasSyncedChecker implements cache.ResourceEventHandlerRegistration.
func (delivered) HasSyncedChecker() cache.DoneChecker { return delivered{} }

// Name implements cache.DoneChecker.
func (delivered) Name() string { return "delivery" }

// Done implements cache.DoneChecker.
func (delivered) Done() <-chan struct{} {
	done := make(chan struct{})
	close(done)
	return done
}

// changing is a source of many configurations of which one after the other
// changes.
type changing struct {
	*delivery
	source *source.Informed
	next   int
}

// newChanging returns when the source knows all configurations.
func newChanging(ctx context.Context, configurations []runtime.Object) (*changing, error) {
	d := &delivery{store: cache.NewStore(cache.MetaNamespaceKeyFunc)}
	for _, c := range configurations {
		d.configurations = append(d.configurations, c.(*registrationv1.ValidatingWebhookConfiguration))
		if err := d.store.Add(c); err != nil {
			return nil, err
		}
	}
	s, err := source.Informers(source.Watched{Validating: d})
	if err != nil {
		return nil, err
	}
	if _, err := s.Current(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return &changing{delivery: d, source: s}, nil
}

// prepare makes the next change: where it is, and what is there then.
func (c *changing) prepare() (at int, changed *registrationv1.ValidatingWebhookConfiguration) {
	// A step without a common divisor goes through all of them, far apart.
	const step = 7919
	at = c.next % len(c.configurations)
	c.next += step
	changed = c.configurations[at].DeepCopy()
	rule := &changed.Webhooks[0].Rules[0]
	rule.APIVersions = append(rule.APIVersions[:1:1], "v1beta"+string(rune('1'+c.next%9)))
	return at, changed
}

// deliver has the informer deliver a change. The store has it before the handler.
func (c *changing) deliver(at int, changed *registrationv1.ValidatingWebhookConfiguration) {
	old := c.configurations[at]
	c.configurations[at] = changed
	_ = c.store.Update(changed) // it fails for objects without a name
	c.handler.OnUpdate(old, changed)
}

// errUnchanged means that the measured event was no change.
var errUnchanged = errors.New("a change of a configuration leaves the snapshot as it was")

// differing reports an error unless there is a new snapshot.
func differing(before, after *matching.Snapshot) error {
	if before == after {
		return errUnchanged
	}
	return nil
}
