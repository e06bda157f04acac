package matching

import (
	"slices"

	"example.com/gatehouse/admission"
)

// Snapshot is the compiled set of webhooks that is in force at one moment. It is
// immutable and safe for concurrent use; a change of the configuration makes a
// new one.
type Snapshot struct {
	mutating, validating phase
}

// phase is the webhooks of one phase, and how to find them.
type phase struct {
	webhooks []*Webhook
	index    *index
}

// NewSnapshot makes a snapshot of webhooks that are already in the order in
// which they are to be considered: by configuration name, then list order
// (S-061). It takes ownership of the slices.
func NewSnapshot(mutating, validating []*Webhook) *Snapshot {
	return &Snapshot{mutating: newPhase(mutating), validating: newPhase(validating)}
}

func newPhase(webhooks []*Webhook) phase {
	return phase{webhooks: webhooks, index: newIndex(webhooks)}
}

// Webhooks returns the webhooks of a phase, in order. The slice is shared and
// read-only.
func (s *Snapshot) Webhooks(p admission.Phase) []*Webhook { return s.phase(p).webhooks }

func (s *Snapshot) phase(p admission.Phase) *phase {
	if p == admission.Mutating {
		return &s.mutating
	}
	return &s.validating
}

// Candidates appends to list the positions among Webhooks of those whose rules
// may match the request, in order. All others never do, whatever their other
// stages say; how many there are has no influence on the time it takes.
//
// It asks the request's mapper if there is a webhook that wants to know about
// equivalent resources.
func (s *Snapshot) Candidates(p admission.Phase, r *Request, list []int32) []int32 {
	x := s.phase(p).index
	list = x.find(&r.ask, list, false)
	if x.equivalents {
		for _, gvr := range r.equivalentResources() {
			a := r.ask
			a.resource = gvr
			list = x.find(&a, list, true)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
