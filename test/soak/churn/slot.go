package churn

import (
	"fmt"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/soak/backend"
	"example.com/gatehouse/test/soak/model"
)

// slot is a configuration that comes and goes.
type slot struct {
	kind *kind
	// names are those that it has in turn, the one that it has now first.
	names [2]string
	// now is the configuration as it was written last; nil if it was deleted.
	now *model.Configuration
	// webhooks returns those to be written, with the certificates to be trusted then.
	webhooks func() []model.WebhookDraft
}

func (s *slot) exists() bool { return s.now != nil }

// slotsOf returns the configurations of a world, none of which exists yet.
func slotsOf(w *world) []*slot {
	var slots []*slot
	for _, k := range w.kinds() {
		slots = append(slots, soundSlot(k, "both", w.backend.ByURL, model.Pods, model.Widgets))
		const together = 20
		for part := range slices.Chunk(model.Faults(), together) {
			slots = append(slots, faultySlot(k, part, w.backend))
		}
	}
	return append(slots,
		soundSlot(w.mutating, "pods", w.backend.ByService, model.Pods),
		soundSlot(w.validating, "widgets", w.backend.ByService, model.Widgets),
	)
}

// soundSlot has a webhook without a fault.
func soundSlot(k *kind, role string, client func() registrationv1.WebhookClientConfig, resources ...string) *slot {
	return &slot{kind: k, names: namesOf("m-" + role), webhooks: func() []model.WebhookDraft {
		return []model.WebhookDraft{{Role: role, Resources: resources, Client: client()}}
	}}
}

// faultySlot has webhooks with faults. They are the last ones of the mutating phase, so
// that there are patches to be undone, and the first ones of the validating phase, so
// that theirs is the error to be seen.
func faultySlot(k *kind, faults []string, b *backend.Backend) *slot {
	prefix := map[admission.Phase]string{admission.Mutating: "z-", admission.Validating: "a-"}[k.phase]
	return &slot{kind: k, names: namesOf(prefix + faults[0]), webhooks: func() []model.WebhookDraft {
		var drafts []model.WebhookDraft
		for _, fault := range faults {
			drafts = append(drafts, model.WebhookDraft{
				Role: fault, Fault: fault, Resources: []string{model.Pods, model.Widgets}, Client: b.WithFault(fault),
			})
		}
		return drafts
	}}
}

func namesOf(base string) [2]string { return [2]string{base, fmt.Sprintf("%s-renamed", base)} }
