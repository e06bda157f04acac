package churn

import (
	"fmt"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/internal/soak/backend"
	"example.com/gatehouse/test/internal/soak/model"
)

// slot is a configuration that comes and goes.
type slot struct {
	kind *kind
	// names are those that it has in turn, the one that it has now first.
	names [2]string
	// now is the configuration as it was written last; nil if it was deleted.
	now *model.Configuration
	// webhooks returns those to be written, with the certificates to be trusted
	// then.
	webhooks func() []model.WebhookDraft
}

func (s *slot) exists() bool { return s.now != nil }

// slotsOf returns the configurations of a world, none of which exists yet.
func slotsOf(w *world) []*slot {
	var slots []*slot
	for _, k := range w.kinds() {
		const together = 20
		for part := range slices.Chunk(model.Faults(), together) {
			slots = append(slots, faultySlot(k, part, w.backend))
		}
	}
	byURL, byService := w.backend.ByURL, w.backend.ByService
	pods, widgets := []string{model.Pods}, []string{model.Widgets}
	return append(slots,
		// The two of one configuration are called together or not at all.
		soundSlot(w.mutating, byURL, pods, "first", "second"),
		soundSlot(w.mutating, byService, widgets, "widgets"),
		// So are those of two configurations as both are in force.
		soundSlot(w.validating, byURL, slices.Concat(pods, widgets), "both"),
		soundSlot(w.validating, byService, widgets, "widgets"),
	)
}

// soundSlot has webhooks without a fault.
func soundSlot(
	k *kind, client func() registrationv1.WebhookClientConfig, resources []string, roles ...string,
) *slot {
	return &slot{kind: k, names: namesOf("m-" + roles[0]), webhooks: func() []model.WebhookDraft {
		var drafts []model.WebhookDraft
		for _, role := range roles {
			drafts = append(drafts, model.WebhookDraft{Role: role, Resources: resources, Client: client()})
		}
		return drafts
	}}
}

// faultySlot has webhooks with faults. They are the last ones of the mutating
// phase, so that earlier patches must be undone, and the first ones of the
// validating phase, so that their error is the one returned.
func faultySlot(k *kind, faults []string, b *backend.Backend) *slot {
	prefix := map[admission.Phase]string{admission.Mutating: "z-", admission.Validating: "a-"}[k.phase]
	return &slot{kind: k, names: namesOf(prefix + faults[0]), webhooks: func() []model.WebhookDraft {
		var drafts []model.WebhookDraft
		for _, fault := range faults {
			drafts = append(drafts, model.WebhookDraft{
				Role:      fault,
				Fault:     fault,
				Resources: []string{model.Pods, model.Widgets},
				Client:    b.WithFault(fault),
			})
		}
		return drafts
	}}
}

func namesOf(base string) [2]string { return [2]string{base, fmt.Sprintf("%s-renamed", base)} }
