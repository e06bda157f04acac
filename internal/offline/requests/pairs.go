package requests

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// pairs finds the stored object that an object updates.
type pairs struct {
	stored map[key]*storedObject
	// order is that in which stored objects were given.
	order []*storedObject
	// earlier are documents that later ones of the same key update.
	earlier map[key]*earlier
	began   []*earlier
}

// key is what all versions of one object share.
type key struct {
	// resource is the one that stands for all that hold the object.
	resource        schema.GroupResource
	namespace, name string
}

// subject is an object, known by its key and called as its author calls it.
type subject struct {
	key
	resource schema.GroupResource
}

func (s subject) String() string { return named(s.resource, s.namespace, s.name) }

type storedObject struct {
	Source
	used bool
}

type earlier struct {
	subject
	Source
	updated bool
}

func newPairs() pairs {
	return pairs{stored: map[key]*storedObject{}, earlier: map[key]*earlier{}}
}

// store keeps a stored object.
func (p *pairs) store(of subject, s Source) error {
	if first, taken := p.stored[of.key]; taken {
		return s.Wrap("metadata.name", fmt.Errorf("metadata.name: %s is already given in %s", of, first.Position))
	}
	kept := &storedObject{Source: s}
	p.stored[of.key] = kept
	p.order = append(p.order, kept)
	return nil
}

// find returns the stored object that is updated, or nil.
func (p *pairs) find(of subject) *Source {
	found := p.stored[of.key]
	if found == nil {
		return nil
	}
	found.used = true
	return &found.Source
}

// replace returns the document before s that was about the same object, or nil if s
// is the first.
func (p *pairs) replace(of subject, s Source) *Source {
	before := p.earlier[of.key]
	now := &earlier{subject: of, Source: s}
	p.earlier[of.key] = now
	if before == nil {
		p.began = append(p.began, now)
		return nil
	}
	before.updated, now.updated = true, true
	return &before.Source
}

// lonely returns an error with a line for each document that no other one updates,
// and that updates none.
func (p *pairs) lonely() error {
	var problems []error
	for _, e := range p.began {
		if !e.updated {
			problems = append(problems, e.Wrap("metadata.name", fmt.Errorf(
				"an UPDATE has two objects, but this is all there is of %s: give the stored one with --old, or before it", e.subject)))
		}
	}
	return errors.Join(problems...)
}

func (p *pairs) unused() []Source {
	var rest []Source
	for _, s := range p.order {
		if !s.used {
			rest = append(rest, s.Source)
		}
	}
	return rest
}
