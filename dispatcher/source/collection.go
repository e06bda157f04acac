package source

import (
	"errors"
	"fmt"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission/registration"
)

// The two kinds in messages.
const (
	mutatingKind   = "MutatingWebhookConfiguration"
	validatingKind = "ValidatingWebhookConfiguration"
)

// collection gathers configurations of both kinds and all problems with them,
// so that one error reports every problem.
type collection struct {
	mutating   []*registrationv1.MutatingWebhookConfiguration
	validating []*registrationv1.ValidatingWebhookConfiguration

	// locations maps each configuration to its location.
	locations map[configurationKey]string
	// problems are nil, or errors that name a location.
	problems []error
}

// configurationKey identifies a configuration: a name is unique within its
// kind.
type configurationKey struct{ kind, name string }

func newCollection() *collection {
	return &collection{locations: map[configurationKey]string{}}
}

// add adds a copy of the configuration that was found at location. The error
// does not name the location.
func (c *collection) add(obj runtime.Object, location string) error {
	switch obj := obj.(type) {
	case *registrationv1.MutatingWebhookConfiguration:
		if obj != nil {
			c.mutating = append(c.mutating, obj.DeepCopy())
			return c.reserveName(configurationKey{mutatingKind, obj.Name}, location)
		}
	case *registrationv1.ValidatingWebhookConfiguration:
		if obj != nil {
			c.validating = append(c.validating, obj.DeepCopy())
			return c.reserveName(configurationKey{validatingKind, obj.Name}, location)
		}
	case nil:
	default:
		return fmt.Errorf("%T is not a %s or %s of %s",
			obj, mutatingKind, validatingKind, registrationv1.SchemeGroupVersion)
	}
	return errors.New("nil is not a webhook configuration")
}

// reserveName records the location of a name. It fails if another configuration
// of the kind has the name.
func (c *collection) reserveName(id configurationKey, location string) error {
	if first, taken := c.locations[id]; taken {
		return fmt.Errorf("%s %q is already defined in %s", id.kind, id.name, first)
	}
	c.locations[id] = location
	return nil
}

// applyDefaults applies an API server's defaults to the copies.
func (c *collection) applyDefaults() {
	for _, m := range c.mutating {
		registration.Default(m)
	}
	for _, v := range c.validating {
		registration.Default(v)
	}
}

// list returns the collection as a List, or all problems. It never returns a
// part of the configurations: requests would then skip the webhooks of the
// others.
func (c *collection) list() (*List, error) {
	if err := errors.Join(c.problems...); err != nil {
		return nil, err
	}
	store := NewStore()
	store.Set(c.mutating, c.validating)
	return &List{store: store}, nil
}
