package source

import (
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission"
)

// What an API server accepts for a timeout and for a list of conditions (R-029,
//
const (
	minTimeoutSeconds  = 1
	maxTimeoutSeconds  = 30
	maxMatchConditions = 64
)

// check returns what is plainly wrong with a configuration of either kind, in
// the order and the words of an API server. What it lets pass
// may still be refused by one.
func check(name string, webhooks []*admission.Webhook) field.ErrorList {
	var problems field.ErrorList
	if name == "" {
		// An API server would take a generateName as well, but here nobody
		// generates a name.
		problems = append(problems, field.Required(field.NewPath("metadata", "name"), ""))
	}
	for i, w := range webhooks {
		problems = append(problems, checkWebhook(w, field.NewPath("webhooks").Index(i))...)
	}
	return problems
}

func checkWebhook(w *admission.Webhook, at *field.Path) field.ErrorList {
	var problems field.ErrorList
	if w.Name == "" {
		problems = append(problems, field.Required(at.Child("name"), ""))
	}
	problems = append(problems, checkPolicies(w, at)...)
	if t := w.TimeoutSeconds; t != nil && (*t < minTimeoutSeconds || *t > maxTimeoutSeconds) {
		problems = append(problems, field.Invalid(at.Child("timeoutSeconds"), *t,
			"the timeout value must be between 1 and 30 seconds"))
	}
	problems = append(problems, checkSelectors(w, at)...)
	problems = append(problems, oneOf(at.Child("reinvocationPolicy"), w.ReinvocationPolicy,
		registrationv1.NeverReinvocationPolicy, registrationv1.IfNeededReinvocationPolicy)...)
	if (w.ClientConfig.URL == nil) == (w.ClientConfig.Service == nil) {
		problems = append(problems, field.Required(at.Child("clientConfig"),
			"exactly one of url or service is required"))
	}
	if n := len(w.MatchConditions); n > maxMatchConditions {
		problems = append(problems, field.TooMany(at.Child("matchConditions"), n, maxMatchConditions))
	}
	if len(w.AdmissionReviewVersions) == 0 {
		problems = append(problems, field.Required(at.Child("admissionReviewVersions"),
			"must specify one of v1, v1beta1"))
	}
	return problems
}

// checkPolicies accepts all four values of sideEffects, as an API server does
// for configurations that it has stored for long: a file may be
// the copy of such a one.
func checkPolicies(w *admission.Webhook, at *field.Path) field.ErrorList {
	problems := oneOf(at.Child("failurePolicy"), w.FailurePolicy, registrationv1.Fail, registrationv1.Ignore)
	problems = append(problems, oneOf(at.Child("matchPolicy"), w.MatchPolicy,
		registrationv1.Equivalent, registrationv1.Exact)...)
	if w.SideEffects == nil {
		return append(problems, field.Required(at.Child("sideEffects"),
			"must specify one of None, NoneOnDryRun, Some, Unknown"))
	}
	return append(problems, oneOf(at.Child("sideEffects"), w.SideEffects,
		registrationv1.SideEffectClassNone, registrationv1.SideEffectClassNoneOnDryRun,
		registrationv1.SideEffectClassSome, registrationv1.SideEffectClassUnknown)...)
}

func checkSelectors(w *admission.Webhook, at *field.Path) field.ErrorList {
	strict := metav1validation.LabelSelectorValidationOptions{}
	return append(
		metav1validation.ValidateLabelSelector(w.NamespaceSelector, strict, at.Child("namespaceSelector")),
		metav1validation.ValidateLabelSelector(w.ObjectSelector, strict, at.Child("objectSelector"))...)
}

// oneOf complains about a value that is present and not among the known ones,
// which it lists in alphabetical order.
func oneOf[T ~string](at *field.Path, value *T, known ...T) field.ErrorList {
	if value == nil || slices.Contains(known, *value) {
		return nil
	}
	return field.ErrorList{field.NotSupported(at, *value, slices.Sorted(slices.Values(known)))}
}
