package requests

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// updatePairs finds the stored object that an object updates.
type updatePairs struct {
	stored map[key]*storedObject
	// order has the stored objects in order.
	order []*storedObject
	// earlier are documents that later ones of the same key update.
	earlier map[key]*earlier
	began   []*earlier
}

// key identifies an object in all its versions.
type key struct {
	// resource is the canonical one (see kinds.Registry.Canonical).
	resource        schema.GroupResource
	namespace, name string
}

// subject is the key of an object and the author's name for its resource.
type subject struct {
	key
	resource schema.GroupResource
}

// String names the object as kubectl does.
func (s subject) String() string {
	text := fmt.Sprintf("%s/%s", s.resource, s.name)
	if s.namespace != "" {
		text += " in " + s.namespace
	}
	return text
}

type storedObject struct {
	Source
	used bool
}

type earlier struct {
	subject
	Source
	updated bool
}

func newUpdatePairs() updatePairs {
	return updatePairs{stored: map[key]*storedObject{}, earlier: map[key]*earlier{}}
}

// store keeps a stored object.
func (p *updatePairs) store(of subject, s Source) error {
	if first, taken := p.stored[of.key]; taken {
		return s.Wrap("metadata.name",
			fmt.Errorf("metadata.name: %s is already given in %s", of, first.Position))
	}
	kept := &storedObject{Source: s}
	p.stored[of.key] = kept
	p.order = append(p.order, kept)
	return nil
}

// find returns the stored object that is updated, or nil.
func (p *updatePairs) find(of subject) *Source {
	found := p.stored[of.key]
	if found == nil {
		return nil
	}
	found.used = true
	return &found.Source
}

// replace returns the previous document of the same object, nil if s is the
// first.
func (p *updatePairs) replace(of subject, s Source) *Source {
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

// unpaired returns an error with one line for every document of an UPDATE
// without a counterpart.
func (p *updatePairs) unpaired() error {
	var problems []error
	for _, e := range p.began {
		if !e.updated {
			problems = append(problems, e.Wrap("metadata.name", fmt.Errorf(
				"an UPDATE needs the stored object of %s: give it with --old, or before the new object", e.subject)))
		}
	}
	return errors.Join(problems...)
}

func (p *updatePairs) unused() []Source {
	var rest []Source
	for _, s := range p.order {
		if !s.used {
			rest = append(rest, s.Source)
		}
	}
	return rest
}
