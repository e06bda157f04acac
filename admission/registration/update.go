package registration

import (
	"fmt"
	"reflect"
	"slices"

	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/registration/internal/fields"
	"example.com/gatehouse/internal/cel"
)

// ValidateUpdate returns the errors of kube-apiserver v1.37 for replacing old
// by c, with its texts and in its order; nil if there are none. The rules are
// those of Validate, except for reserved names and for newer rules that old
// breaks as well.
//
// Both must have been defaulted and have the same kind. Their versions may
// differ; the rules are those of the version of c. Fields that a server sets
// may be absent, and so may the resourceVersion. old need not be valid.
//
// For nil, other types and different kinds the list has one internal error at
// "kind".
func ValidateUpdate(c, old Configuration) field.ErrorList {
	v, err := viewOf(c)
	if err != nil {
		return fields.Unusable(err)
	}
	before, err := viewOf(old)
	if err != nil {
		return fields.Unusable(fmt.Errorf("what is updated: %w", err))
	}
	if v.phase != before.phase {
		return fields.Unusable(fmt.Errorf("%T cannot replace %T", c, old))
	}
	return validateUpdate(v, before, cel.Check)
}

// validateUpdate is ValidateUpdate for views and with a given compiler.
func validateUpdate(v, old view, check checker) field.ErrorList {
	val := validator{check: check, ratchets: ratchetsOfUpdate(v, old)}
	return slices.Concat(
		fields.MetadataForUpdate(v.meta, old.meta),
		val.webhooks(v.webhooks),
	)
}

// ratchetsOfUpdate returns what the version and the old configuration allow.
//
// Compat: one old webhook that breaks a rule excuses all
// of the new ones, also those that are added.
func ratchetsOfUpdate(v, old view) ratchets {
	r := ratchetsOfVersion(v)
	r.anySideEffects = r.anySideEffects || slices.ContainsFunc(old.webhooks, hasSideEffects)
	r.repeatedNames = r.repeatedNames || repeatsName(old.webhooks)
	r.unknownVersions = slices.ContainsFunc(old.webhooks, speaksOnlyUnknown)
	r.anyLabelValues = slices.ContainsFunc(old.webhooks, hasInvalidSelector)
	r.sameConditions = slices.EqualFunc(v.webhooks, old.webhooks, equalConditions)
	r.knownExpressions = expressionsOf(old.webhooks)
	return r
}

// hasSideEffects reports whether the webhook may have side effects, which it
// may if the class is absent or unknown.
func hasSideEffects(w *admission.Webhook) bool {
	return w.SideEffects == nil || !slices.Contains(ratchets{}.sideEffectsAllowed(), *w.SideEffects)
}

// repeatsName counts empty names as well.
//
// Compat: R-045: two webhooks without a name open the ratchet, though a new
// configuration is not told that empty names are equal.
func repeatsName(webhooks []*admission.Webhook) bool {
	seen := map[string]bool{}
	for _, w := range webhooks {
		if seen[w.Name] {
			return true
		}
		seen[w.Name] = true
	}
	return false
}

// speaksOnlyUnknown reports whether all versions are unknown. Configurations
// from before the field existed have none.
func speaksOnlyUnknown(w *admission.Webhook) bool {
	return len(w.AdmissionReviewVersions) > 0 && !speaks(w.AdmissionReviewVersions)
}

// hasInvalidSelector reports whether a selector is invalid.
//
// Compat: R-046: also a wrong operator or key allows every label value.
func hasInvalidSelector(w *admission.Webhook) bool {
	strict := metav1validation.LabelSelectorValidationOptions{}
	return len(metav1validation.ValidateLabelSelector(w.NamespaceSelector, strict, nil)) > 0 ||
		len(metav1validation.ValidateLabelSelector(w.ObjectSelector, strict, nil)) > 0
}

// equalConditions compares the conditions of webhooks with the same index.
//
// Compat: R-041: an empty list is not equal to an absent one.
func equalConditions(w, old *admission.Webhook) bool {
	return reflect.DeepEqual(w.MatchConditions, old.MatchConditions)
}

// expressionsOf returns the expressions of all webhooks as they are written.
func expressionsOf(webhooks []*admission.Webhook) map[string]bool {
	expressions := map[string]bool{}
	for _, w := range webhooks {
		for _, c := range w.MatchConditions {
			expressions[c.Expression] = true
		}
	}
	return expressions
}
