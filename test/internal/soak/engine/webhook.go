package engine

import (
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Webhook has the fields of a webhook that a soak sets. It receives every
// request for an object that its Selector selects.
type Webhook struct {
	// Name is that of the webhook. Required.
	Name string
	// Reach is its address. Required.
	Reach registrationv1.WebhookClientConfig
	// Timeout is in seconds. Required.
	Timeout int32
	// Policy is its failurePolicy. The default is Fail.
	Policy registrationv1.FailurePolicyType
	// Selector are the labels of the objects that it receives. The default is
	// all objects.
	Selector map[string]string
}

// Validating returns the webhook for a ValidatingWebhookConfiguration.
func (w Webhook) Validating() registrationv1.ValidatingWebhook {
	v := registrationv1.ValidatingWebhook{
		Name: w.Name, ClientConfig: w.Reach,
		Rules: []registrationv1.RuleWithOperations{{
			Operations: []registrationv1.OperationType{registrationv1.OperationAll},
			Rule: registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"},
				Resources: []string{"*/*"}},
		}},
		ObjectSelector:          &metav1.LabelSelector{MatchLabels: w.Selector},
		SideEffects:             new(registrationv1.SideEffectClassNone),
		TimeoutSeconds:          &w.Timeout,
		AdmissionReviewVersions: []string{"v1"},
	}
	if w.Policy != "" {
		v.FailurePolicy = &w.Policy
	}
	return v
}

// Mutating returns the webhook for a MutatingWebhookConfiguration.
func (w Webhook) Mutating() registrationv1.MutatingWebhook { return MutatingOf(w.Validating()) }

// MutatingOf returns the mutating webhook with the fields of a validating one.
// The reinvocationPolicy is the default. The result shares v's pointers.
func MutatingOf(v registrationv1.ValidatingWebhook) registrationv1.MutatingWebhook {
	return registrationv1.MutatingWebhook{
		Name:                    v.Name,
		ClientConfig:            v.ClientConfig,
		Rules:                   v.Rules,
		FailurePolicy:           v.FailurePolicy,
		MatchPolicy:             v.MatchPolicy,
		NamespaceSelector:       v.NamespaceSelector,
		ObjectSelector:          v.ObjectSelector,
		SideEffects:             v.SideEffects,
		TimeoutSeconds:          v.TimeoutSeconds,
		AdmissionReviewVersions: v.AdmissionReviewVersions,
		MatchConditions:         v.MatchConditions,
	}
}
