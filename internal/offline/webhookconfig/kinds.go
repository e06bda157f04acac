package webhookconfig

import (
	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/deprecation"
)

// The two kinds of webhook configuration.
const (
	mutatingKind   = "MutatingWebhookConfiguration"
	validatingKind = "ValidatingWebhookConfiguration"
)

// Is reports whether a kind is a webhook configuration, of whatever version.
func Is(kind schema.GroupVersionKind) bool {
	return kind.Group == registrationv1.GroupName &&
		(kind.Kind == mutatingKind || kind.Kind == validatingKind)
}

// Deprecation returns what API servers warned of as long as they served a
// version of webhook configurations that they no longer serve. It is empty for
// what is no such version.
func Deprecation(kind schema.GroupVersionKind) string {
	switch kind {
	case registrationv1beta1.SchemeGroupVersion.WithKind(mutatingKind):
		c := &registrationv1beta1.MutatingWebhookConfiguration{}
		c.SetGroupVersionKind(kind)
		return deprecation.WarningMessage(c)
	case registrationv1beta1.SchemeGroupVersion.WithKind(validatingKind):
		c := &registrationv1beta1.ValidatingWebhookConfiguration{}
		c.SetGroupVersionKind(kind)
		return deprecation.WarningMessage(c)
	}
	return ""
}
