package registration

import registrationv1 "k8s.io/api/admissionregistration/v1"

// defaultTimeoutSeconds is that of v1.
const defaultTimeoutSeconds int32 = 10

// defaultMutating is Default for those who know the type.
func defaultMutating(c *registrationv1.MutatingWebhookConfiguration) {
	if c == nil {
		return
	}
	for i := range c.Webhooks {
		w := &c.Webhooks[i]
		optionalFields[registrationv1.FailurePolicyType, registrationv1.MatchPolicyType]{
			failurePolicy:     &w.FailurePolicy,
			matchPolicy:       &w.MatchPolicy,
			namespaceSelector: &w.NamespaceSelector,
			objectSelector:    &w.ObjectSelector,
			timeoutSeconds:    &w.TimeoutSeconds,
			rules:             w.Rules,
			servicePort:       portOf(w.ClientConfig.Service),
		}.fill(registrationv1.Fail, registrationv1.Equivalent, defaultTimeoutSeconds)
		setIfAbsent(&w.ReinvocationPolicy, registrationv1.NeverReinvocationPolicy)
	}
}

// defaultValidating is Default for those who know the type.
func defaultValidating(c *registrationv1.ValidatingWebhookConfiguration) {
	if c == nil {
		return
	}
	for i := range c.Webhooks {
		w := &c.Webhooks[i]
		optionalFields[registrationv1.FailurePolicyType, registrationv1.MatchPolicyType]{
			failurePolicy:     &w.FailurePolicy,
			matchPolicy:       &w.MatchPolicy,
			namespaceSelector: &w.NamespaceSelector,
			objectSelector:    &w.ObjectSelector,
			timeoutSeconds:    &w.TimeoutSeconds,
			rules:             w.Rules,
			servicePort:       portOf(w.ClientConfig.Service),
		}.fill(registrationv1.Fail, registrationv1.Equivalent, defaultTimeoutSeconds)
	}
}

// portOf points at the port of a service, if there is a service.
func portOf(service *registrationv1.ServiceReference) **int32 {
	if service == nil {
		return nil
	}
	return &service.Port
}
