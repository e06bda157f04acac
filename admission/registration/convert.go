package registration

import (
	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Convert returns the v1 form of c: a *MutatingWebhookConfiguration or
// *ValidatingWebhookConfiguration of admissionregistration.k8s.io/v1. That is c
// itself if it is of v1 already, and also if it is nil or of another type.
//
// v1beta1 must have been defaulted, because the defaults of v1 differ and would
// be what an absent field means afterwards. The result shares memory with
// c, which must not be changed any more. Nothing is lost on the way: the versions
// have the same fields.
func Convert(c Configuration) Configuration {
	switch c := c.(type) {
	case *registrationv1beta1.MutatingWebhookConfiguration:
		if c != nil {
			return convertMutating(c)
		}
	case *registrationv1beta1.ValidatingWebhookConfiguration:
		if c != nil {
			return convertValidating(c)
		}
	}
	return c
}

func convertMutating(c *registrationv1beta1.MutatingWebhookConfiguration) *registrationv1.MutatingWebhookConfiguration {
	return &registrationv1.MutatingWebhookConfiguration{
		TypeMeta:   convertType(c.TypeMeta),
		ObjectMeta: c.ObjectMeta,
		Webhooks:   convertAll(c.Webhooks, convertMutatingWebhook),
	}
}

func convertValidating(c *registrationv1beta1.ValidatingWebhookConfiguration) *registrationv1.ValidatingWebhookConfiguration {
	return &registrationv1.ValidatingWebhookConfiguration{
		TypeMeta:   convertType(c.TypeMeta),
		ObjectMeta: c.ObjectMeta,
		Webhooks:   convertAll(c.Webhooks, convertValidatingWebhook),
	}
}

// convertType leaves an object without a type, as the informers deliver it,
// without one.
func convertType(t metav1.TypeMeta) metav1.TypeMeta {
	if t.APIVersion != "" {
		t.APIVersion = registrationv1.SchemeGroupVersion.String()
	}
	return t
}

// convertAll keeps an absent list absent.
func convertAll[From, To any](from []From, convert func(From) To) []To {
	if from == nil {
		return nil
	}
	to := make([]To, len(from))
	for i := range from {
		to[i] = convert(from[i])
	}
	return to
}

func convertMutatingWebhook(w registrationv1beta1.MutatingWebhook) registrationv1.MutatingWebhook {
	return registrationv1.MutatingWebhook{
		Name:                    w.Name,
		ClientConfig:            convertClientConfig(w.ClientConfig),
		Rules:                   w.Rules,
		FailurePolicy:           (*registrationv1.FailurePolicyType)(w.FailurePolicy),
		MatchPolicy:             (*registrationv1.MatchPolicyType)(w.MatchPolicy),
		NamespaceSelector:       w.NamespaceSelector,
		ObjectSelector:          w.ObjectSelector,
		SideEffects:             (*registrationv1.SideEffectClass)(w.SideEffects),
		TimeoutSeconds:          w.TimeoutSeconds,
		AdmissionReviewVersions: w.AdmissionReviewVersions,
		ReinvocationPolicy:      w.ReinvocationPolicy,
		MatchConditions:         convertAll(w.MatchConditions, convertMatchCondition),
	}
}

func convertValidatingWebhook(w registrationv1beta1.ValidatingWebhook) registrationv1.ValidatingWebhook {
	return registrationv1.ValidatingWebhook{
		Name:                    w.Name,
		ClientConfig:            convertClientConfig(w.ClientConfig),
		Rules:                   w.Rules,
		FailurePolicy:           (*registrationv1.FailurePolicyType)(w.FailurePolicy),
		MatchPolicy:             (*registrationv1.MatchPolicyType)(w.MatchPolicy),
		NamespaceSelector:       w.NamespaceSelector,
		ObjectSelector:          w.ObjectSelector,
		SideEffects:             (*registrationv1.SideEffectClass)(w.SideEffects),
		TimeoutSeconds:          w.TimeoutSeconds,
		AdmissionReviewVersions: w.AdmissionReviewVersions,
		MatchConditions:         convertAll(w.MatchConditions, convertMatchCondition),
	}
}

func convertClientConfig(c registrationv1beta1.WebhookClientConfig) registrationv1.WebhookClientConfig {
	return registrationv1.WebhookClientConfig{
		URL:      c.URL,
		Service:  (*registrationv1.ServiceReference)(c.Service),
		CABundle: c.CABundle,
	}
}

func convertMatchCondition(c registrationv1beta1.MatchCondition) registrationv1.MatchCondition {
	return registrationv1.MatchCondition(c)
}
