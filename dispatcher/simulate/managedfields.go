package simulate

import (
	"context"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/utils/ptr"
)

// managedFieldsSpoiled is the warning about managedFields that were restored
// (S-366).
const managedFieldsSpoiled = ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: %v"

// admitKeepingManagedFields runs both rounds of the mutating webhooks. If
// managedFields are invalid then, it restores them.
//
// An API server computes managedFields, so that they are valid before. The
// request's own may not be valid; then the webhooks are not the cause, and they
// stay.
func (s *simulation) admitKeepingManagedFields(ctx context.Context) error {
	m := metadata(s.attributes.GetObject())
	if m == nil {
		return s.admit(ctx)
	}
	before := m.GetManagedFields()
	if err := s.admit(ctx); err != nil {
		return err
	}
	spoiled := managedfields.ValidateManagedFields(m.GetManagedFields())
	if spoiled != nil && managedfields.ValidateManagedFields(before) == nil {
		m.SetManagedFields(before)
		warning.AddWarning(ctx, "", fmt.Sprintf(managedFieldsSpoiled, spoiled))
	}
	return nil
}

// The warnings about repeated owner references, before and after the mutating
// phase (S-367).
const (
	ownersRepeated          = ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: %v"
	ownersRepeatedByWebhook = ".metadata.ownerReferences contains duplicate entries after mutating admission happens; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: %v"
)

// dropRepeatedOwners removes owner references that repeat an earlier one and
// warns about them.
func (s *simulation) dropRepeatedOwners(ctx context.Context, text string) {
	m := metadata(s.attributes.GetObject())
	if m == nil {
		return
	}
	kept, repeated := withoutRepeated(m.GetOwnerReferences())
	if len(repeated) > 0 {
		m.SetOwnerReferences(kept)
		warning.AddWarning(ctx, "", fmt.Sprintf(text, strings.Join(repeated, ", ")))
	}
}

// withoutRepeated returns the references that repeat none before them, and the UIDs of the
// others.
func withoutRepeated(
	refs []metav1.OwnerReference,
) (kept []metav1.OwnerReference, repeated []string) {
	seen := make(map[owner]bool, len(refs))
	for _, ref := range refs {
		if o := ownerOf(ref); seen[o] {
			repeated = append(repeated, string(ref.UID))
		} else {
			seen[o] = true
			kept = append(kept, ref)
		}
	}
	return kept, repeated
}

// owner is an owner reference that == compares as kube-apiserver does: its pointers are nil,
// and the fields have what they pointed to.
type owner struct {
	metav1.OwnerReference
	controller, block optional
}

// optional is the value of a pointer.
type optional struct{ set, value bool }

func ownerOf(ref metav1.OwnerReference) owner {
	o := owner{ref, optionalOf(ref.Controller), optionalOf(ref.BlockOwnerDeletion)}
	o.Controller, o.BlockOwnerDeletion = nil, nil
	return o
}

func optionalOf(p *bool) optional { return optional{p != nil, ptr.Deref(p, false)} }
