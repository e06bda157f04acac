package registration

import (
	"reflect"

	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission/registration/internal/fields"
)

// Default sets the absent fields of c, in place, by the version of c:
//
//	                         v1            v1beta1
//	failurePolicy            Fail          Ignore
//	matchPolicy              Equivalent    Exact
//	namespaceSelector        everything    everything
//	objectSelector           everything    everything
//	timeoutSeconds           10            30
//	sideEffects              -             Unknown
//	admissionReviewVersions  -             v1beta1
//	reinvocationPolicy       Never         Never
//	rules[].scope            *             *
//	clientConfig.service     port 443      port 443
//
// Copies of c that share its webhooks list change too. Nil and other types stay
// as they are.
func Default(c Configuration) {
	if c == nil || reflect.ValueOf(c).IsNil() {
		return
	}
	switch c := c.(type) {
	case *registrationv1.MutatingWebhookConfiguration:
		for i := range c.Webhooks {
			w := &c.Webhooks[i]
			v1Defaults(&w.FailurePolicy, &w.MatchPolicy, &w.TimeoutSeconds)
			common(w.Rules, w.ClientConfig.Service, &w.NamespaceSelector, &w.ObjectSelector)
			fields.SetIfAbsent(&w.ReinvocationPolicy, registrationv1.NeverReinvocationPolicy)
		}
	case *registrationv1.ValidatingWebhookConfiguration:
		for i := range c.Webhooks {
			w := &c.Webhooks[i]
			v1Defaults(&w.FailurePolicy, &w.MatchPolicy, &w.TimeoutSeconds)
			common(w.Rules, w.ClientConfig.Service, &w.NamespaceSelector, &w.ObjectSelector)
		}
	case *registrationv1beta1.MutatingWebhookConfiguration:
		for i := range c.Webhooks {
			w := &c.Webhooks[i]
			betaDefaults(&w.FailurePolicy, &w.MatchPolicy, &w.TimeoutSeconds,
				&w.SideEffects, &w.AdmissionReviewVersions)
			common(w.Rules, serviceOf(w.ClientConfig), &w.NamespaceSelector, &w.ObjectSelector)
			fields.SetIfAbsent(&w.ReinvocationPolicy, registrationv1.NeverReinvocationPolicy)
		}
	case *registrationv1beta1.ValidatingWebhookConfiguration:
		for i := range c.Webhooks {
			w := &c.Webhooks[i]
			betaDefaults(&w.FailurePolicy, &w.MatchPolicy, &w.TimeoutSeconds,
				&w.SideEffects, &w.AdmissionReviewVersions)
			common(w.Rules, serviceOf(w.ClientConfig), &w.NamespaceSelector, &w.ObjectSelector)
		}
	}
}

// v1Defaults sets the fields whose defaults are those of v1.
func v1Defaults(
	failure **registrationv1.FailurePolicyType, match **registrationv1.MatchPolicyType,
	timeout **int32,
) {
	fields.SetIfAbsent(failure, registrationv1.Fail)
	fields.SetIfAbsent(match, registrationv1.Equivalent)
	fields.SetIfAbsent(timeout, 10)
}

// betaDefaults sets the fields whose defaults are those of v1beta1. The default
// of the review versions, and no other, replaces an empty list as well as an
// absent one.
func betaDefaults(
	failure **registrationv1beta1.FailurePolicyType, match **registrationv1beta1.MatchPolicyType,
	timeout **int32, sideEffects **registrationv1beta1.SideEffectClass, versions *[]string,
) {
	fields.SetIfAbsent(failure, registrationv1beta1.Ignore)
	fields.SetIfAbsent(match, registrationv1beta1.Exact)
	fields.SetIfAbsent(timeout, 30)
	fields.SetIfAbsent(sideEffects, registrationv1beta1.SideEffectClassUnknown)
	if len(*versions) == 0 {
		*versions = []string{admissionv1beta1.SchemeGroupVersion.Version}
	}
}

// common sets the fields whose defaults are the same in both versions.
func common(
	rules []registrationv1.RuleWithOperations, service *registrationv1.ServiceReference,
	selectors ...**metav1.LabelSelector,
) {
	for i := range rules {
		fields.SetIfAbsent(&rules[i].Scope, registrationv1.AllScopes)
	}
	if service != nil {
		fields.SetIfAbsent(&service.Port, 443)
	}
	for _, selector := range selectors {
		fields.SetIfAbsent(selector, metav1.LabelSelector{})
	}
}

// serviceOf returns the service of a client in the type of v1, which has the
// same fields. It shares memory with the client.
func serviceOf(c registrationv1beta1.WebhookClientConfig) *registrationv1.ServiceReference {
	return (*registrationv1.ServiceReference)(c.Service)
}
