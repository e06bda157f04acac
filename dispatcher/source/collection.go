package source

import (
	"errors"
	"fmt"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission/registration"
)

// The two kinds as messages name them.
const (
	mutatingKind   = "MutatingWebhookConfiguration"
	validatingKind = "ValidatingWebhookConfiguration"
)

// collection gathers configurations of both kinds before they are published,
// and the problems on the way, so that whoever made several mistakes reads
// about all of them.
type collection struct {
	mutating   []*registrationv1.MutatingWebhookConfiguration
	validating []*registrationv1.ValidatingWebhookConfiguration

	// places says where each configuration was found.
	places map[identity]string
	// problems says what is wrong, and where; those who add write it.
	problems []error
}

// identity is what has to be unique: the two kinds are named independently.
type identity struct{ kind, name string }

func newCollection() *collection {
	return &collection{places: map[identity]string{}}
}

// add takes a copy of a configuration that was found at place, or says why it
// cannot. The error does not name the place.
func (c *collection) add(obj runtime.Object, place string) error {
	switch obj := obj.(type) {
	case *registrationv1.MutatingWebhookConfiguration:
		if obj == nil {
			return errNil()
		}
		c.mutating = append(c.mutating, obj.DeepCopy())
		return c.claim(identity{mutatingKind, obj.Name}, place)
	case *registrationv1.ValidatingWebhookConfiguration:
		if obj == nil {
			return errNil()
		}
		c.validating = append(c.validating, obj.DeepCopy())
		return c.claim(identity{validatingKind, obj.Name}, place)
	case nil:
		return errNil()
	default:
		return errKind(fmt.Sprintf("%T", obj))
	}
}

// claim reserves a name within its kind.
func (c *collection) claim(id identity, place string) error {
	if first, taken := c.places[id]; taken {
		return fmt.Errorf("%s %q is already defined in %s", id.kind, id.name, first)
	}
	c.places[id] = place
	return nil
}

// note keeps a problem for later; nil is none.
func (c *collection) note(problem error) {
	if problem != nil {
		c.problems = append(c.problems, problem)
	}
}

// applyDefaults does what an API server would have done. It changes the copies.
func (c *collection) applyDefaults() {
	for _, m := range c.mutating {
		registration.Default(m)
	}
	for _, v := range c.validating {
		registration.Default(v)
	}
}

// list publishes the collection, unless there was any problem: half of a list
// would let requests pass that the other half was there to stop.
func (c *collection) list() (*List, error) {
	if err := errors.Join(c.problems...); err != nil {
		return nil, err
	}
	store := NewStore()
	store.Set(c.mutating, c.validating)
	return &List{store: store}, nil
}

func errNil() error { return errors.New("nil is not a webhook configuration") }

func errKind(what string) error {
	return fmt.Errorf("%s is not a %s or %s of %s",
		what, mutatingKind, validatingKind, registrationv1.SchemeGroupVersion)
}
