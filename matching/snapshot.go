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

// NewSnapshot makes a snapshot of webhooks that are already in the order in
// which they are to be considered: by configuration name, then list order
// (S-061). It takes ownership of the slices.
func NewSnapshot(mutating, validating []*Webhook) *Snapshot {
	return &Snapshot{mutating: newPhase(mutating), validating: newPhase(validating)}
}

// Replace returns a snapshot in which n webhooks of a phase, from a position on,
// are replaced by others. It costs much less than NewSnapshot if few are.
func (s *Snapshot) Replace(p admission.Phase, position, n int, with []*Webhook) *Snapshot {
	changed := *s
	of := changed.phase(p)
	*of = of.replace(position, position+n, with)
	return &changed
}

// Webhooks returns the webhooks of a phase, in order. The slice is shared and
// read-only. After a Replace it is made when somebody asks for the first time.
func (s *Snapshot) Webhooks(p admission.Phase) []*Webhook { return s.phase(p).list() }

// At returns the webhook at a position among Webhooks.
func (s *Snapshot) At(p admission.Phase, position int) *Webhook { return s.phase(p).at(position) }

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
	of := s.phase(p)
	list = of.find(&r.ask, list, false)
	if of.equivalents() {
		for _, gvr := range r.equivalentResources() {
			a := r.ask
			a.resource = gvr
			list = of.find(&a, list, true)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
