package registration

import (
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/cel"
)

// What an API server accepts for the timeout of a webhook.
const (
	minTimeoutSeconds = 1
	maxTimeoutSeconds = 30
)

// Validate returns what kube-apiserver v1.37 has against the creation of c, in
// its words and its order; nothing if it accepts
// c. Everything that is wrong is in the list, not only the first.
//
// c must have been defaulted, because a server does that first. It also drops a
// metadata.namespace, which is an error here. A v1beta1
// configuration is held to what v1.16 to v1.21 asked of it: sideEffects may also
// be Some or Unknown, and webhooks of one name may occur more than once; all
// else is as in v1.
//
// What is no configuration, or nil, gives a list of one internal error at "kind".
// Validate changes nothing and never panics.
func Validate(c Configuration) field.ErrorList {
	v, err := viewOf(c)
	if err != nil {
		return unusable(err)
	}
	return validateCreate(v, cel.Check)
}

// validateCreate is Validate for a known shape and a compiler of the caller's.
func validateCreate(v view, check checker) field.ErrorList {
	val := validator{check: check, ratchets: ratchetsOfVersion(v)}
	return slices.Concat(
		metadataForCreate(v.meta),
		val.webhooks(v.webhooks),
		reservedName(v.meta.Name),
	)
}

func unusable(err error) field.ErrorList {
	return field.ErrorList{field.InternalError(field.NewPath("kind"), err)}
}

// checker says what is wrong with a CEL expression, as cel.Check does.
type checker func(expression string, stored bool) error

// validator holds webhooks to the rules; its fields are what differs between one
// write and another.
type validator struct {
	check    checker
	ratchets ratchets
}

// ratchets are the rules that do not apply. The zero value is the strictest: what
// a v1 configuration meets when it is created. Each of them is a rule that came
// later than configurations that break it, so a version, or an old object that is
// updated, may open it; it closes by itself with the first update that no longer
// needs it.
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
	// knownExpressions are those that are stored already.
	knownExpressions map[string]bool
}

// ratchetsOfVersion returns what the version in which v was written allows.
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
		validateRules(w.Rules, at.Child("rules")),
		oneOf(at.Child("failurePolicy"), w.FailurePolicy, registrationv1.Fail, registrationv1.Ignore),
		oneOf(at.Child("matchPolicy"), w.MatchPolicy, registrationv1.Equivalent, registrationv1.Exact),
		val.sideEffects(w.SideEffects, at.Child("sideEffects")),
		validateTimeout(w.TimeoutSeconds, at.Child("timeoutSeconds")),
		val.selectors(w, at),
		// Validating webhooks have none, and absent is accepted.
		oneOf(at.Child("reinvocationPolicy"), w.ReinvocationPolicy,
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
	return field.ErrorList{field.Invalid(at, *seconds, "the timeout value must be between 1 and 30 seconds")}
}

func (val validator) selectors(w *admission.Webhook, at *field.Path) field.ErrorList {
	options := metav1validation.LabelSelectorValidationOptions{
		AllowInvalidLabelValueInSelector: val.ratchets.anyLabelValues,
	}
	return slices.Concat(
		metav1validation.ValidateLabelSelector(w.NamespaceSelector, options, at.Child("namespaceSelector")),
		metav1validation.ValidateLabelSelector(w.ObjectSelector, options, at.Child("objectSelector")),
	)
}

// oneOf complains about a value that is present and not among the known ones,
// which it lists in alphabetical order.
func oneOf[T ~string](at *field.Path, value *T, known ...T) field.ErrorList {
	if value == nil || slices.Contains(known, *value) {
		return nil
	}
	return field.ErrorList{field.NotSupported(at, *value, slices.Sorted(slices.Values(known)))}
}
