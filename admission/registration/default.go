package registration

import (
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// What v1 puts in place of an absent number.
const (
	defaultTimeoutSeconds int32 = 10
	defaultServicePort    int32 = 443
)

// DefaultMutating fills in the fields of c that are absent, in place, as
// admissionregistration.k8s.io/v1 defines: failurePolicy Fail,
// matchPolicy Equivalent, selectors that select everything, ten seconds,
// reinvocationPolicy Never, rules for every scope, service port 443.
//
// It allocates what it sets, so copies of c that share its webhooks list change
// with it, but nothing else does.
func DefaultMutating(c *registrationv1.MutatingWebhookConfiguration) {
	for i := range c.Webhooks {
		w := &c.Webhooks[i]
		optionalFields{
			failurePolicy:     &w.FailurePolicy,
			matchPolicy:       &w.MatchPolicy,
			namespaceSelector: &w.NamespaceSelector,
			objectSelector:    &w.ObjectSelector,
			timeoutSeconds:    &w.TimeoutSeconds,
			rules:             w.Rules,
			service:           w.ClientConfig.Service,
		}.fill()
		setIfAbsent(&w.ReinvocationPolicy, registrationv1.NeverReinvocationPolicy)
	}
}

// DefaultValidating does for a validating configuration what DefaultMutating
// does for a mutating one; there is no reinvocationPolicy to set.
func DefaultValidating(c *registrationv1.ValidatingWebhookConfiguration) {
	for i := range c.Webhooks {
		w := &c.Webhooks[i]
		optionalFields{
			failurePolicy:     &w.FailurePolicy,
			matchPolicy:       &w.MatchPolicy,
			namespaceSelector: &w.NamespaceSelector,
			objectSelector:    &w.ObjectSelector,
			timeoutSeconds:    &w.TimeoutSeconds,
			rules:             w.Rules,
			service:           w.ClientConfig.Service,
		}.fill()
	}
}

// optionalFields points at the fields that both kinds of webhook have and that
// have a default. It exists so that the defaults are written down once.
type optionalFields struct {
	failurePolicy     **registrationv1.FailurePolicyType
	matchPolicy       **registrationv1.MatchPolicyType
	namespaceSelector **metav1.LabelSelector
	objectSelector    **metav1.LabelSelector
	timeoutSeconds    **int32
	rules             []registrationv1.RuleWithOperations
	service           *registrationv1.ServiceReference
}

func (f optionalFields) fill() {
	setIfAbsent(f.failurePolicy, registrationv1.Fail)
	setIfAbsent(f.matchPolicy, registrationv1.Equivalent)
	setIfAbsent(f.namespaceSelector, metav1.LabelSelector{})
	setIfAbsent(f.objectSelector, metav1.LabelSelector{})
	setIfAbsent(f.timeoutSeconds, defaultTimeoutSeconds)
	for i := range f.rules {
		setIfAbsent(&f.rules[i].Scope, registrationv1.AllScopes)
	}
	if f.service != nil {
		setIfAbsent(&f.service.Port, defaultServicePort)
	}
}

func setIfAbsent[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}
