package policy

import (
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission/registration/internal/fields"
	"example.com/gatehouse/internal/cel"
)

// mutations applies validateMutation to each mutation, of which a policy needs
// at least one.
func (e expressions) mutations(
	mutations []registrationv1.Mutation, at *field.Path,
) field.ErrorList {
	if len(mutations) == 0 {
		return field.ErrorList{field.Required(at, "mutations must contain at least one item")}
	}
	var problems field.ErrorList
	for i := range mutations {
		problems = append(problems, e.mutation(&mutations[i], at.Index(i))...)
	}
	return problems
}

// mutation requires the patch of the patchType, and no other.
func (e expressions) mutation(m *registrationv1.Mutation, at *field.Path) field.ErrorList {
	jsonPatch, apply := at.Child("jsonPatch"), at.Child("applyConfiguration")
	switch m.PatchType {
	case "":
		return field.ErrorList{field.Required(at.Child("patchType"), "")}
	case registrationv1.PatchTypeJSONPatch:
		return slices.Concat(e.jsonPatch(m.JSONPatch, jsonPatch),
			surplus(m.ApplyConfiguration != nil, apply, "{applyConfiguration}", m.PatchType))
	case registrationv1.PatchTypeApplyConfiguration:
		return slices.Concat(e.applyConfiguration(m.ApplyConfiguration, apply),
			surplus(m.JSONPatch != nil, jsonPatch, "{jsonPatch}", m.PatchType))
	}
	return fields.OneOf(at.Child("patchType"), &m.PatchType,
		registrationv1.PatchTypeApplyConfiguration, registrationv1.PatchTypeJSONPatch)
}

// jsonPatch applies validateJSONPatch.
func (e expressions) jsonPatch(p *registrationv1.JSONPatch, at *field.Path) field.ErrorList {
	if p == nil {
		return field.ErrorList{field.Required(at, "must be specified when patchType is JSONPatch")}
	}
	return e.patch(cel.JSONPatch, p.Expression, at.Child("expression"))
}

// applyConfiguration applies validateApplyConfiguration.
func (e expressions) applyConfiguration(
	a *registrationv1.ApplyConfiguration, at *field.Path,
) field.ErrorList {
	if a == nil {
		return field.ErrorList{
			field.Required(at, "must be specified when patchType is ApplyConfiguration")}
	}
	return e.patch(cel.ApplyConfiguration, a.Expression, at.Child("expression"))
}

// patch applies the rules of a mutation's expression, which is trimmed before it
// is compiled.
//
// Compat: a JSON patch is a stored expression only if an applyConfiguration of
// the old policy has the same expression, which never has a valid type.
func (e expressions) patch(use cel.Use, text string, at *field.Path) field.ErrorList {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return field.ErrorList{field.Required(at, "")}
	}
	return e.check(use, trimmed, trimmed, e.known.applyConfigurations[text], at)
}

// surplus returns an error for the patch of the other type.
func surplus(
	present bool, at *field.Path, value string, patchType registrationv1.PatchType,
) field.ErrorList {
	if !present {
		return nil
	}
	return field.ErrorList{field.Invalid(at, value,
		"must not be specified when patchType is "+string(patchType))}
}
