package registration

import (
	"fmt"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
)

// view is one type for both kinds and both versions, so that every rule is
// written once. It shares memory with the configuration.
type view struct {
	phase    admission.Phase
	meta     metav1.ObjectMeta
	webhooks []*admission.Webhook
	// beta says that the configuration is of v1beta1, whose rules are milder.
	beta bool
}

// viewOf returns an error for nil and other types.
func viewOf(c Configuration) (view, error) {
	switch c := c.(type) {
	case *registrationv1.MutatingWebhookConfiguration:
		if c != nil {
			return view{
				phase:    admission.Mutating,
				meta:     c.ObjectMeta,
				webhooks: admission.MutatingWebhooks(c),
			}, nil
		}
	case *registrationv1.ValidatingWebhookConfiguration:
		if c != nil {
			return view{
				phase:    admission.Validating,
				meta:     c.ObjectMeta,
				webhooks: admission.ValidatingWebhooks(c),
			}, nil
		}
	case *registrationv1beta1.MutatingWebhookConfiguration:
		if c != nil {
			return betaView(c)
		}
	case *registrationv1beta1.ValidatingWebhookConfiguration:
		if c != nil {
			return betaView(c)
		}
	default:
		return view{}, fmt.Errorf("%T is not a webhook configuration", c)
	}
	return view{}, fmt.Errorf("there is no object behind the %T", c)
}

func betaView(c Configuration) (view, error) {
	v, err := viewOf(Convert(c))
	v.beta = true
	return v, err
}
