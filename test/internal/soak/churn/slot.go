package churn

import (
	"fmt"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/internal/soak/backend"
	"example.com/gatehouse/test/internal/soak/cluster"
	"example.com/gatehouse/test/internal/soak/model"
)

// slot is a configuration that comes and goes, or a namespace.
type slot struct {
	of *followed
	// names are those that it has in turn, the one that it has now first.
	names [2]string
	// stays is whether it is never deleted and always has the first name.
	stays bool
	// now is the configuration as it was written last; nil if it was deleted.
	now *model.Configuration
	// object returns the one to be written, with the certificates to be trusted
	// then.
	object func(name string, revision int64) cluster.Object
}

func (s *slot) exists() bool { return s.now != nil }

// slotsOf returns the configurations and namespaces of a world, none of which
// exists yet.
func slotsOf(w *world) []*slot {
	var slots []*slot
	for _, name := range model.Namespaces() {
		slots = append(slots, &slot{of: w.namespaces, names: [2]string{name}, stays: true,
			object: model.Namespace})
	}
	for _, k := range w.kinds() {
		const together = 20
		for part := range slices.Chunk(model.Faults(), together) {
			slots = append(slots, faultySlot(k, part, w.backend))
		}
		slots = append(slots, k.slot("m-narrow", w.backend.ByURL, narrow()...))
	}
	byURL, byService := w.backend.ByURL, w.backend.ByService
	pods, widgets := []string{model.Pods, model.PodExec}, []string{model.Widgets}
	both := slices.Concat(pods, widgets)
	return append(slots,
		// Called again if one of the following changes the object.
		w.mutating.slot("m-again", byURL,
			model.WebhookDraft{Role: "again", Resources: both, Again: true}),
		// The two of one configuration are called together or not at all.
		w.mutating.slot("m-first", byURL, model.WebhookDraft{Role: "first", Resources: pods},
			model.WebhookDraft{Role: "second", Resources: pods}),
		w.mutating.slot("m-widgets", byService,
			model.WebhookDraft{Role: "widgets", Resources: widgets, Again: true}),
		// So are those of two configurations as both are in force.
		w.validating.slot("m-both", byURL, model.WebhookDraft{Role: "both", Resources: both}),
		w.validating.slot("m-widgets", byService,
			model.WebhookDraft{Role: "widgets", Resources: widgets}),
	)
}

// narrow are webhooks without a fault that not every request for their
// resources reaches.
func narrow() []model.WebhookDraft {
	pods, widgets := []string{model.Pods}, []string{model.Widgets}
	return []model.WebhookDraft{
		{Role: "converted", Resources: widgets, Converted: true},
		{Role: "conditional", Resources: slices.Concat(pods, widgets), Conditional: true},
		{Role: "effects", Resources: widgets, Effects: true},
		{Role: "golden", Resources: pods, Golden: true,
			Operations: []registrationv1.OperationType{registrationv1.Create, registrationv1.Delete}},
		{Role: "team", Resources: pods, Team: "red"},
	}
}

// slot has webhooks that are at the same address.
func (k *kind) slot(
	name string, client func() registrationv1.WebhookClientConfig, drafts ...model.WebhookDraft,
) *slot {
	return k.configuration(name, func() []model.WebhookDraft {
		reached := slices.Clone(drafts)
		for i := range reached {
			reached[i].Client = client()
		}
		return reached
	})
}

func (k *kind) configuration(name string, webhooks func() []model.WebhookDraft) *slot {
	return &slot{of: k.followed, names: namesOf(name),
		object: func(name string, revision int64) cluster.Object {
			return model.Draft{
				Name: name, Phase: k.phase, Revision: revision, Webhooks: webhooks(),
			}.Object()
		}}
}

// faultySlot has webhooks with faults. They are the last ones of the mutating
// phase, so that earlier patches must be undone, and the first ones of the
// validating phase, so that their error is the one returned.
func faultySlot(k *kind, faults []string, b *backend.Backend) *slot {
	prefix := map[admission.Phase]string{admission.Mutating: "z-", admission.Validating: "a-"}[k.phase]
	return k.configuration(prefix+faults[0], func() []model.WebhookDraft {
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
	})
}

func namesOf(base string) [2]string { return [2]string{base, fmt.Sprintf("%s-renamed", base)} }
