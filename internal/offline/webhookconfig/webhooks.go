package webhookconfig

import (
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
)

// Webhooks returns the webhooks of the configurations, in order. Objects of
// other kinds have none.
func Webhooks(configurations []runtime.Object) []*admission.Webhook {
	var webhooks []*admission.Webhook
	for _, configuration := range configurations {
		switch c := configuration.(type) {
		case *registrationv1.MutatingWebhookConfiguration:
			webhooks = append(webhooks, admission.MutatingWebhooks(c)...)
		case *registrationv1.ValidatingWebhookConfiguration:
			webhooks = append(webhooks, admission.ValidatingWebhooks(c)...)
		}
	}
	return webhooks
}

// Trust gives a CA to those webhooks of a configuration that name none. The
// configuration is changed, and shares the bytes of the CA.
func Trust(configuration runtime.Object, ca []byte) {
	Adjust(configuration, func(_ string, c *registrationv1.WebhookClientConfig) {
		if len(c.CABundle) == 0 {
			c.CABundle = ca
		}
	})
}

// Adjust changes how the webhooks of a configuration are reached: change gets
// the name of each, and its client configuration to write into.
func Adjust(
	configuration runtime.Object, change func(webhook string, c *registrationv1.WebhookClientConfig),
) {
	switch c := configuration.(type) {
	case *registrationv1.MutatingWebhookConfiguration:
		for i := range c.Webhooks {
			change(c.Webhooks[i].Name, &c.Webhooks[i].ClientConfig)
		}
	case *registrationv1.ValidatingWebhookConfiguration:
		for i := range c.Webhooks {
			change(c.Webhooks[i].Name, &c.Webhooks[i].ClientConfig)
		}
	}
}
