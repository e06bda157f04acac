package matching

import "example.com/gatehouse/admission"

// Snapshot is the compiled set of webhooks that is in force at one moment. It is
// immutable and safe for concurrent use; a change of the configuration makes a
// new one.
type Snapshot struct {
	mutating, validating []*Webhook
}

// NewSnapshot makes a snapshot of webhooks that are already in the order in
// which they are to be considered: by configuration name, then list order
// (S-061). It takes ownership of the slices.
func NewSnapshot(mutating, validating []*Webhook) *Snapshot {
	return &Snapshot{mutating: mutating, validating: validating}
}

// Webhooks returns the webhooks of a phase, in order. The slice is shared and
// read-only.
func (s *Snapshot) Webhooks(p admission.Phase) []*Webhook {
	if p == admission.Mutating {
		return s.mutating
	}
	return s.validating
}
