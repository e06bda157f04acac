package webhookconfig_test

import (
	"fmt"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/offline/webhookconfig"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestAddress(t *testing.T) {
	t.Parallel()
	type test struct {
		testtable.Row
		config registrationv1.WebhookClientConfig
		want   string
	}
	service := registrationv1.ServiceReference{Namespace: "webhooks", Name: "policy"}
	other := service
	other.Port = new(int32(8443))
	testtable.Run(t, []test{
		{testtable.Row{"service", "443 is its default"}, registrationv1.WebhookClientConfig{Service: &service}, "policy.webhooks.svc:443 policy.webhooks.svc <nil>"},
		{testtable.Row{"port", "services may have another"}, registrationv1.WebhookClientConfig{Service: &other}, "policy.webhooks.svc:8443 policy.webhooks.svc <nil>"},
		{testtable.Row{"URL", "443 is the default of https"}, registrationv1.WebhookClientConfig{URL: new("https://Policy.example.com/x")}, "policy.example.com:443 Policy.example.com <nil>"},
		{testtable.Row{"other letters", "in lower case İ would be an i, which is another host"}, registrationv1.WebhookClientConfig{URL: new("https://Hİ.example")}, "hİ.example:443 Hİ.example <nil>"},
		{testtable.Row{"IPv6", "brackets are for addresses with ports"}, registrationv1.WebhookClientConfig{URL: new("https://[::1]:8443")}, "[::1]:8443 ::1 <nil>"},
		{testtable.Row{"neither", "such a webhook cannot be called"}, registrationv1.WebhookClientConfig{}, "  the webhook has neither a service nor a URL"},
		{testtable.Row{"no URL", "it is not validated here"}, registrationv1.WebhookClientConfig{URL: new("https://%")}, `  parse "https://%": invalid URL escape "%"`},
	}, func(t *testing.T, tc test) {
		address, name, err := webhookconfig.Address(&admission.Webhook{ClientConfig: tc.config})
		if got := fmt.Sprint(address, " ", name, " ", err); got != tc.want {
			t.Errorf("got %q, want %q: %s", got, tc.want, tc.Why())
		}
	})
}
