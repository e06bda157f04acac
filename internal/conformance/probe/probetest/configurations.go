package probetest

import (
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Mutating returns a configuration with one mutating webhook, NAME.example.com,
// at the path: for all resources, v1, without side effects.
func Mutating(
	name, path string, change ...func(*registrationv1.MutatingWebhook),
) *registrationv1.MutatingWebhookConfiguration {
	w := registrationv1.MutatingWebhook{
		Name: name + ".example.com", ClientConfig: at(path), Rules: everything(),
		SideEffects:             new(registrationv1.SideEffectClassNone),
		AdmissionReviewVersions: []string{"v1"},
	}
	for _, f := range change {
		f(&w)
	}
	return &registrationv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name},
		Webhooks: []registrationv1.MutatingWebhook{w}}
}

// Wanting returns the configuration of a webhook with rules for the given
// resources of any group.
func Wanting(name string, resources ...string) runtime.Object {
	return Mutating(name, "/"+name,
		func(w *registrationv1.MutatingWebhook) { w.Rules[0].Resources = resources })
}

// Validating is Mutating for a validating webhook.
func Validating(
	name, path string, change ...func(*registrationv1.ValidatingWebhook),
) *registrationv1.ValidatingWebhookConfiguration {
	w := registrationv1.ValidatingWebhook{
		Name: name + ".example.com", ClientConfig: at(path), Rules: everything(),
		SideEffects:             new(registrationv1.SideEffectClassNone),
		AdmissionReviewVersions: []string{"v1"},
	}
	for _, f := range change {
		f(&w)
	}
	return &registrationv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name},
		Webhooks: []registrationv1.ValidatingWebhook{w}}
}

func at(path string) registrationv1.WebhookClientConfig {
	return registrationv1.WebhookClientConfig{URL: new("https://hooks.example.com" + path)}
}

func everything() []registrationv1.RuleWithOperations {
	all := []string{"*"}
	return []registrationv1.RuleWithOperations{{
		Operations: []registrationv1.OperationType{registrationv1.OperationAll},
		Rule:       registrationv1.Rule{APIGroups: all, APIVersions: all, Resources: []string{"*/*"}},
	}}
}
