package registration

import (
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/registration/internal/fields"
	"example.com/gatehouse/internal/cel"
)

// The limits of a webhook's timeout.
const (
	minTimeoutSeconds = 1
	maxTimeoutSeconds = 30
)

// Validate returns the errors of kube-apiserver v1.37 for the creation of c,
// with its texts and in its order; nil if there
// are none.
//
// c must have been defaulted, because a server does that first. A
// metadata.namespace, which a server drops, is an error. In v1beta1, as
// in v1.16 to v1.21, sideEffects may also be Some or Unknown, and webhooks may
// have the same name.
//
// For nil and other types the list has one internal error at "kind".
func Validate(c Configuration) field.ErrorList {
	v, err := viewOf(c)
	if err != nil {
		return fields.Unusable(err)
	}
	return validateCreate(v, cel.Check)
}

// validateCreate is Validate for a view and with a given compiler.
func validateCreate(v view, check checker) field.ErrorList {
	val := validator{check: check, ratchets: ratchetsOfVersion(v)}
	return slices.Concat(
		fields.MetadataForCreate(v.meta),
		val.webhooks(v.webhooks),
		fields.ReservedName(v.meta.Name),
	)
}

// checker compiles a CEL expression, as cel.Check does.
type checker func(expression string, stored bool) error

// validator validates webhooks; its fields differ between writes.
type validator struct {
	check    checker
	ratchets ratchets
}

// ratchets are the rules that do not apply. The zero value is for the creation
// of a v1 configuration. Each ratchet is a rule that is newer than
// configurations that break it; the version, or the old object of an update,
// opens it.
type ratchets struct {
	// anySideEffects accepts Some and Unknown as well.
	anySideEffects bool
	// repeatedNames accepts webhooks of the same name.
	repeatedNames bool
	// unknownVersions accepts a list of AdmissionReview versions none of which
	// this server speaks.
	unknownVersions bool
	// anyLabelValues accepts label values in selectors that no label can have
	//
	anyLabelValues bool
	// sameConditions leaves the matchConditions alone.
	sameConditions bool
	// knownExpressions are the expressions of the old object.
	knownExpressions map[string]bool
}

// ratchetsOfVersion returns the ratchets of the version of v.
func ratchetsOfVersion(v view) ratchets {
	return ratchets{anySideEffects: v.beta, repeatedNames: v.beta}
}

func (val validator) webhooks(webhooks []*admission.Webhook) field.ErrorList {
	var problems field.ErrorList
	seen := map[string]bool{}
	for i, w := range webhooks {
		at := field.NewPath("webhooks").Index(i)
		problems = append(problems, val.webhook(w, at)...)
		if w.Name == "" {
			continue
		}
		if seen[w.Name] && !val.ratchets.repeatedNames {
			problems = append(problems, field.Duplicate(at.Child("name"), w.Name))
		}
		seen[w.Name] = true
	}
	return problems
}

// webhook applies the rules that look at one webhook alone.
func (val validator) webhook(w *admission.Webhook, at *field.Path) field.ErrorList {
	return slices.Concat(
		validation.IsFullyQualifiedName(at.Child("name"), w.Name),
		fields.Rules(w.Rules, at.Child("rules")),
		fields.OneOf(at.Child("failurePolicy"), w.FailurePolicy, registrationv1.Fail, registrationv1.Ignore),
		fields.OneOf(at.Child("matchPolicy"), w.MatchPolicy, registrationv1.Equivalent, registrationv1.Exact),
		val.sideEffects(w.SideEffects, at.Child("sideEffects")),
		validateTimeout(w.TimeoutSeconds, at.Child("timeoutSeconds")),
		val.selectors(w, at),
		// Validating webhooks have none, and absent is accepted.
		fields.OneOf(at.Child("reinvocationPolicy"), w.ReinvocationPolicy,
			registrationv1.IfNeededReinvocationPolicy, registrationv1.NeverReinvocationPolicy),
		validateClientConfig(w.ClientConfig, at.Child("clientConfig")),
		val.conditions(w.MatchConditions, at.Child("matchConditions")),
		val.reviewVersions(w.AdmissionReviewVersions, at.Child("admissionReviewVersions")),
	)
}

func validateTimeout(seconds *int32, at *field.Path) field.ErrorList {
	if seconds == nil || (*seconds >= minTimeoutSeconds && *seconds <= maxTimeoutSeconds) {
		return nil
	}
	return field.ErrorList{field.Invalid(at, *seconds,
		"the timeout value must be between 1 and 30 seconds")}
}

func (val validator) selectors(w *admission.Webhook, at *field.Path) field.ErrorList {
	options := metav1validation.LabelSelectorValidationOptions{
		AllowInvalidLabelValueInSelector: val.ratchets.anyLabelValues,
	}
	return slices.Concat(
		metav1validation.ValidateLabelSelector(w.NamespaceSelector, options,
			at.Child("namespaceSelector")),
		metav1validation.ValidateLabelSelector(w.ObjectSelector, options, at.Child("objectSelector")),
	)
}

// conditions applies R-036.
//
// Compat: R-042: an old expression that begins or ends with a space is taken for
// a new one, because old ones were not trimmed before they were compared.
func (val validator) conditions(
	conditions []registrationv1.MatchCondition, at *field.Path,
) field.ErrorList {
	if val.ratchets.sameConditions {
		return nil
	}
	return fields.Conditions(conditions, at, func(expression string) error {
		return val.check(expression, val.ratchets.knownExpressions[expression])
	})
}
