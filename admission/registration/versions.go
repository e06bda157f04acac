package registration

import (
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission/registration/internal/fields"
)

// spokenVersions returns the versions of AdmissionReview that a server knows,
// in the order of its messages.
func spokenVersions() []string { return []string{"v1", "v1beta1"} }

// speaks reports whether a server knows one of the versions.
func speaks(versions []string) bool {
	return slices.ContainsFunc(spokenVersions(),
		func(v string) bool { return slices.Contains(versions, v) })
}

// reviewVersions applies R-037.
func (val validator) reviewVersions(versions []string, at *field.Path) field.ErrorList {
	spoken := strings.Join(spokenVersions(), ", ")
	if len(versions) == 0 {
		return field.ErrorList{field.Required(at, "must specify one of "+spoken)}
	}
	var problems field.ErrorList
	seen := map[string]bool{}
	for i, version := range versions {
		if seen[version] {
			problems = append(problems, field.Invalid(at.Index(i), version, "duplicate version"))
			continue
		}
		seen[version] = true
		problems = append(problems,
			fields.Invalid(at.Index(i), version, validation.IsDNS1035Label(version))...)
	}
	if !speaks(versions) && !val.ratchets.unknownVersions {
		problems = append(problems, field.Invalid(at, versions, "must include at least one of "+spoken))
	}
	return problems
}

// sideEffectsAllowed returns the accepted values in alphabetical order.
func (r ratchets) sideEffectsAllowed() []registrationv1.SideEffectClass {
	allowed := []registrationv1.SideEffectClass{
		registrationv1.SideEffectClassNone, registrationv1.SideEffectClassNoneOnDryRun,
	}
	if r.anySideEffects {
		allowed = append(allowed, registrationv1.SideEffectClassSome,
			registrationv1.SideEffectClassUnknown)
	}
	return allowed
}

// sideEffects applies R-028. A ratchet accepts other values, never none.
func (val validator) sideEffects(
	class *registrationv1.SideEffectClass, at *field.Path,
) field.ErrorList {
	allowed := val.ratchets.sideEffectsAllowed()
	if class != nil {
		return fields.OneOf(at, class, allowed...)
	}
	names := make([]string, len(allowed))
	for i, c := range allowed {
		names[i] = string(c)
	}
	return field.ErrorList{field.Required(at, "must specify one of "+strings.Join(names, ", "))}
}
