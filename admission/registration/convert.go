package registration

import (
	"encoding/json"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Convert returns the v1 form of c: a *MutatingWebhookConfiguration or
// *ValidatingWebhookConfiguration of admissionregistration.k8s.io/v1. It
// returns a configuration of v1, nil and other types as they are.
//
// c must have been defaulted, because the defaults of the versions differ
// . The result shares its metadata with c, which must not be changed any
// more. Nothing is lost: the versions have the same fields.
func Convert(c Configuration) Configuration {
	switch c := c.(type) {
	case *registrationv1beta1.MutatingWebhookConfiguration:
		if c != nil {
			return &registrationv1.MutatingWebhookConfiguration{
				TypeMeta: convertType(c.TypeMeta), ObjectMeta: c.ObjectMeta,
				Webhooks: viaJSON[[]registrationv1.MutatingWebhook](c.Webhooks),
			}
		}
	case *registrationv1beta1.ValidatingWebhookConfiguration:
		if c != nil {
			return &registrationv1.ValidatingWebhookConfiguration{
				TypeMeta: convertType(c.TypeMeta), ObjectMeta: c.ObjectMeta,
				Webhooks: viaJSON[[]registrationv1.ValidatingWebhook](c.Webhooks),
			}
		}
	}
	return c
}

// convertType leaves the type of an object empty that has none, as objects from
// informers do.
func convertType(t metav1.TypeMeta) metav1.TypeMeta {
	if t.APIVersion != "" {
		t.APIVersion = registrationv1.SchemeGroupVersion.String()
	}
	return t
}

// viaJSON returns webhooks of one version as those of another. Both have the
// same JSON, and no value of their fields fails to be encoded or decoded.
func viaJSON[T any](webhooks any) (converted T) {
	if text, err := json.Marshal(webhooks); err == nil {
		_ = json.Unmarshal(text, &converted)
	}
	return converted
}
