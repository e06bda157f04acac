package registration

import (
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
)

// defaultTimeoutSecondsBeta is that of v1beta1: as long as an API server may
// wait at all.
const defaultTimeoutSecondsBeta int32 = 30

func defaultMutatingBeta(c *registrationv1beta1.MutatingWebhookConfiguration) {
	if c == nil {
		return
	}
	for i := range c.Webhooks {
		w := &c.Webhooks[i]
		optionalFields[registrationv1beta1.FailurePolicyType, registrationv1beta1.MatchPolicyType]{
			failurePolicy:     &w.FailurePolicy,
			matchPolicy:       &w.MatchPolicy,
			namespaceSelector: &w.NamespaceSelector,
			objectSelector:    &w.ObjectSelector,
			timeoutSeconds:    &w.TimeoutSeconds,
			rules:             w.Rules,
			servicePort:       portOfBeta(w.ClientConfig.Service),
		}.fill(registrationv1beta1.Ignore, registrationv1beta1.Exact, defaultTimeoutSecondsBeta)
		setIfAbsent(&w.SideEffects, registrationv1beta1.SideEffectClassUnknown)
		setIfEmpty(&w.AdmissionReviewVersions)
		setIfAbsent(&w.ReinvocationPolicy, registrationv1beta1.NeverReinvocationPolicy)
	}
}

func defaultValidatingBeta(c *registrationv1beta1.ValidatingWebhookConfiguration) {
	if c == nil {
		return
	}
	for i := range c.Webhooks {
		w := &c.Webhooks[i]
		optionalFields[registrationv1beta1.FailurePolicyType, registrationv1beta1.MatchPolicyType]{
			failurePolicy:     &w.FailurePolicy,
			matchPolicy:       &w.MatchPolicy,
			namespaceSelector: &w.NamespaceSelector,
			objectSelector:    &w.ObjectSelector,
			timeoutSeconds:    &w.TimeoutSeconds,
			rules:             w.Rules,
			servicePort:       portOfBeta(w.ClientConfig.Service),
		}.fill(registrationv1beta1.Ignore, registrationv1beta1.Exact, defaultTimeoutSecondsBeta)
		setIfAbsent(&w.SideEffects, registrationv1beta1.SideEffectClassUnknown)
		setIfEmpty(&w.AdmissionReviewVersions)
	}
}

// setIfEmpty fills in the review versions. This default, and no other, replaces
// an empty list as well as an absent one.
func setIfEmpty(versions *[]string) {
	if len(*versions) == 0 {
		*versions = []string{admissionv1beta1.SchemeGroupVersion.Version}
	}
}

// portOfBeta points at the port of a service, if there is a service.
func portOfBeta(service *registrationv1beta1.ServiceReference) **int32 {
	if service == nil {
		return nil
	}
	return &service.Port
}
