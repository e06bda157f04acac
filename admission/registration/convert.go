package registration

import (
	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"

	"example.com/gatehouse/admission/registration/internal/fields"
)

// Convert returns the v1 form of c: a *MutatingWebhookConfiguration or
// *ValidatingWebhookConfiguration of admissionregistration.k8s.io/v1. It
// returns a configuration of v1, nil and other types as they are.
//
// c must have been defaulted, because the defaults of the versions differ
// . The result shares its metadata with c; do not modify c afterwards.
// The conversion loses nothing, because the versions have the same fields.
func Convert(c Configuration) Configuration {
	switch c := c.(type) {
	case *registrationv1beta1.MutatingWebhookConfiguration:
		if c != nil {
			return &registrationv1.MutatingWebhookConfiguration{
				TypeMeta: fields.ConvertType(c.TypeMeta), ObjectMeta: c.ObjectMeta,
				Webhooks: fields.ViaJSON[[]registrationv1.MutatingWebhook](c.Webhooks),
			}
		}
	case *registrationv1beta1.ValidatingWebhookConfiguration:
		if c != nil {
			return &registrationv1.ValidatingWebhookConfiguration{
				TypeMeta: fields.ConvertType(c.TypeMeta), ObjectMeta: c.ObjectMeta,
				Webhooks: fields.ViaJSON[[]registrationv1.ValidatingWebhook](c.Webhooks),
			}
		}
	}
	return c
}
