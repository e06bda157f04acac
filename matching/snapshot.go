package matching

import (
	"iter"
	"slices"

	"example.com/gatehouse/admission"
)

// Snapshot holds the compiled webhooks that are in force at one moment. It is
// immutable and safe for concurrent use. A change of the configuration creates
// a new Snapshot.
type Snapshot struct {
	mutating, validating phase
}

// NewSnapshot returns a snapshot. The caller has sorted the webhooks: by the
// names of their configurations, then by their order in the configuration
// (S-061). NewSnapshot takes ownership of the slices.
func NewSnapshot(mutating, validating []*Webhook) *Snapshot {
	return &Snapshot{mutating: newPhase(mutating), validating: newPhase(validating)}
}

// phase holds the webhooks of one phase and their index.
type phase struct {
	webhooks []*Webhook
	*index
}

func newPhase(webhooks []*Webhook) phase { return phase{webhooks, newIndex(webhooks)} }

// With returns a snapshot with other webhooks in one phase, as for NewSnapshot.
func (s *Snapshot) With(p admission.Phase, webhooks []*Webhook) *Snapshot {
	changed := *s
	*changed.phase(p) = newPhase(webhooks)
	return &changed
}

// Webhooks returns the webhooks of a phase, in order. Callers must not modify
// the slice.
func (s *Snapshot) Webhooks(p admission.Phase) []*Webhook { return s.phase(p).webhooks }

// All returns the webhooks of both phases as their configurations declare them.
func (s *Snapshot) All() iter.Seq[*admission.Webhook] {
	return func(yield func(*admission.Webhook) bool) {
		for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
			for _, w := range s.Webhooks(phase) {
				if !yield(w.Webhook) {
					return
				}
			}
		}
	}
}

func (s *Snapshot) phase(p admission.Phase) *phase {
	if p == admission.Mutating {
		return &s.mutating
	}
	return &s.validating
}

// Candidates returns the positions in Webhooks of the webhooks whose rules may
// match the request, in order. The rules of all other webhooks do not
// match. The time depends on the number of candidates, not on that of other
// webhooks. The caller owns the result.
//
// Candidates calls the request's EquivalentResourceMapper if a webhook of the
// phase has matchPolicy Equivalent.
func (s *Snapshot) Candidates(p admission.Phase, v *View) []int32 {
	of := s.phase(p)
	list := of.find(&v.query, nil, false)
	if of.equivalents {
		for _, gvr := range v.equivalentResources() {
			q := v.query
			q.Resource = gvr
			list = of.find(&q, list, true)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
