package registration

import (
	"fmt"
	"reflect"
	"slices"

	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/cel"
)

// ValidateUpdate returns what kube-apiserver v1.37 has against replacing old by c,
// in its words and its order; nothing if it accepts that. c is held to all that
// Validate holds it to, but for the reserved names and for the rules that old
// breaks as well and that are younger than configurations that break them (R-040
// to R-047).
//
// Both must have been defaulted and have the same kind; they may be of different
// versions, and it is that of c that counts. What a server fills in by itself is
// no error when it is missing, and neither is the resourceVersion. Whether old is
// valid is not asked.
//
// What is no configuration, or nil, and a c of another kind than old give a list
// of one internal error at "kind". ValidateUpdate changes nothing and never
// panics.
func ValidateUpdate(c, old Configuration) field.ErrorList {
	v, err := viewOf(c)
	if err != nil {
		return unusable(err)
	}
	before, err := viewOf(old)
	if err != nil {
		return unusable(fmt.Errorf("what is updated: %w", err))
	}
	if v.phase != before.phase {
		return unusable(fmt.Errorf("%T cannot replace %T", c, old))
	}
	return validateUpdate(v, before, cel.Check)
}

// validateUpdate is ValidateUpdate for known shapes and a compiler of the
// caller's.
func validateUpdate(v, old view, check checker) field.ErrorList {
	val := validator{check: check, ratchets: ratchetsOfUpdate(v, old)}
	return slices.Concat(
		metadataForUpdate(v.meta, old.meta),
		val.webhooks(v.webhooks),
	)
}

// ratchetsOfUpdate returns what the version and the old configuration allow.
//
// Compat: one old webhook that breaks a rule excuses all of
// the new ones, also those that are added.
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

// hasSideEffects also takes a class that is absent, or that nobody knows, for
// side effects.
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

// speaksOnlyUnknown is about those who say something: no versions at all is what
// configurations had before there was the field.
func speaksOnlyUnknown(w *admission.Webhook) bool {
	return len(w.AdmissionReviewVersions) > 0 && !speaks(w.AdmissionReviewVersions)
}

// hasInvalidSelector reports whether a selector breaks any rule.
//
// Compat: R-046: also a wrong operator or key allows every label value.
func hasInvalidSelector(w *admission.Webhook) bool {
	strict := metav1validation.LabelSelectorValidationOptions{}
	return len(metav1validation.ValidateLabelSelector(w.NamespaceSelector, strict, nil)) > 0 ||
		len(metav1validation.ValidateLabelSelector(w.ObjectSelector, strict, nil)) > 0
}

// equalConditions compares webhooks by their places, not by their names.
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
